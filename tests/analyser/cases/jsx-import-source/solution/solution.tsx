/** @jsxImportSource preact */
export const App = () => <p>x</p>;
