"""What a user would pick instead of Errordex, one module each, with the sites that we wrote for them."""
