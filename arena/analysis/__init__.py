"""From stored records to typed rows."""
