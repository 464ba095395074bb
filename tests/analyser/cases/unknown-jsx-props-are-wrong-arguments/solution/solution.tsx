import { Form } from "@alneas/appkit-react";
export const App = () => <Form title="a" heading="b" />;
export const Less = () => <Form />;
