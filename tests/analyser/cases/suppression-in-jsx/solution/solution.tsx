import { Form } from "@alneas/appkit-react";
export const App = () => (
  <div>
    {/* @ts-ignore */}
    <Form title={5} />
  </div>
);
