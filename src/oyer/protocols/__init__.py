"""What is asked, what a reply must be, how it is checked and scored. One folder a protocol."""
