throw new TypeError("not today");
