import { Panel } from "@alneas/appkit-react";
export const App = () => <Panel title="a"><p>two</p><p>three</p></Panel>;
