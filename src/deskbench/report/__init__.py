"""What runs say: rates with intervals, tables, and pages with the pictures of every step."""
