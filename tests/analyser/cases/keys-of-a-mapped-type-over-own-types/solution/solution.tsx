import { useForm } from "@alneas/appkit-react";
export function App() {
  const form = useForm({ email: "" });
  const a = form.fields.nope;
  const b = form.values.nope;
  const c = form.reset;
  return <p>{String([a, b, c, form.fields.email.error])}</p>;
}
