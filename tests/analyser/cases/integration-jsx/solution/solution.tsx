import { Form, useForm } from "@alneas/appkit-react";
export const App = ({ hook = useForm }) => <Form title={String(hook)} onSave={useForm} />;
