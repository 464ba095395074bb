import { Form, type FormProps } from "@alneas/appkit-react";
interface Mine extends FormProps { extra: string }
export const App = (props: Mine) => <Form title={props.title}>{props.extra}{String(props.nope)}</Form>;
