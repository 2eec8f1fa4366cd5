ed25519 eWgQmzAZtOvWr20unV2QaFMPNdGY+YaEdV3UY/WcdTk= yipXgQhyDv9+bzEQmN/mbR5hZZew/tTjr/hqnE0+p5muCJ1hvYti2DpWg7BSG70ZWQLp2+pp8Tn5+xMH0hrtAg==
