const form = document.getElementById("login");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const response = await fetch("/login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ password: form.password.value }),
  });
  if (response.ok) location.assign("/");
  else form.querySelector(".wrong").textContent = (await response.json()).error;
});
