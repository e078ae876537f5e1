/** For code inside the sandbox that asks the host: `call` gives the answer, or throws the error that it is. */
export const callCode = String.raw`
  const errors = { TypeError, RangeError, SyntaxError };
  const failed = (name, message) => {
    const error = new (errors[name] ?? Error)(message);
    if (error.name !== name) set(error, "name", name);
    return error;
  };
  const answered = (answer) => {
    const [value, ...message] = parse(answer);
    if (message.length > 0) throw failed(value, message[0]);
    return value;
  };
  const call = (name, ...input) => answered(ask(name, stringify(input)));
`;
