ed25519 1qSNJw6x1Zc44+F+0caxcPJDfk0T9zB8+XoiryixdXI= GTvnNAzotvLjyp5p1/GbJxbgo+3GA8LIirjqqQK+z3w+h4uFmx7S4tT0ot/L+5dASBHU9945P/uob4uB/LuECg==
