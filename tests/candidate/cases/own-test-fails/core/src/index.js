export const double = (value) => value * 3;
