// This file keeps the module buildable until its first type lands.
