import "undeclared-helper";

export const double = (value) => value * 2;
