import { createElement as h, useRef, useState } from 'react';

export function EmailForm({ onSave }) {
  const [email, setEmail] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const field = useRef(null);
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    if (!/^\S+@\S+$/.test(email)) {
      setError('Enter an email address');
      field.current.focus();
      return;
    }
    setBusy(true);
    await onSave({ email });
    setBusy(false);
  };
  return h('form', { onSubmit: submit, noValidate: true },
    h('label', { htmlFor: 'email' }, 'Email ', h('span', { 'aria-hidden': true }, '*')),
    h('input', {
      id: 'email', type: 'email', ref: field, value: email, onChange: (event) => setEmail(event.target.value),
      'aria-invalid': error !== '', 'aria-describedby': error ? 'email-error' : undefined,
    }),
    error && h('p', { id: 'email-error', role: 'alert' }, error),
    h('button', { type: 'submit', disabled: busy }, busy ? 'Saving' : 'Save'));
}
