import * as ui from "@alneas/appkit-react";
import { Field, Form } from "@alneas/appkit-react";
export const App = () => <ui.Panel><Form.Part name="x" /><Form.Row name="y" /><Field /><Form title="a" /></ui.Panel>;
