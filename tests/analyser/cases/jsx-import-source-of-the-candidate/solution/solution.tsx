/** @jsxImportSource @alneas/appkit-react */
export const App = () => <p>x</p>;
