import { Panel } from "@alneas/appkit-react";
export const App = () => <Panel title="a"><p>one</p></Panel>;
