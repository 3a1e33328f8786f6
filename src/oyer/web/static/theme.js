// Before the first paint: the theme that was chosen; without a choice the system's applies.
const chosen = localStorage.getItem("oyer-theme");
if (chosen) document.documentElement.dataset.theme = chosen;
