"""What a reader meets, measured on a whole site: `make audit`."""
