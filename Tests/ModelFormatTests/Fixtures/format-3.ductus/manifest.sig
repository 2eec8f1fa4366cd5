ed25519 CwxhhMxIncf4YZnvjW9za/wmnCz/GvilcKNs0P4Yza4= n3C2zaj+Ixe2+2FHYUunfpKs6KUpB/zh+U5nJh/trgIjDKDCopFKxkSQ36/sDsc+u6f37r65B3PnhpkpZXkiAA==
