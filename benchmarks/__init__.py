"""What measures Errordex; nothing here is part of the distribution."""
