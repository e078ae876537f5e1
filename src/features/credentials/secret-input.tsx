import { useState } from "react";
import { Input, type InputProps } from "../../ui/fields/input.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";

/** A secret being typed: dots, and a button that shows it. Password managers are told to stay away. */
export function SecretInput(props: Omit<InputProps, "type">) {
  const [shown, setShown] = useState(false);
  return (
    <div className="flex gap-1">
      <Input
        {...props}
        type={shown ? "text" : "password"}
        mono={shown}
        autoComplete="new-password"
        data-1p-ignore
        data-lpignore="true"
        spellCheck={false}
      />
      <IconButton
        icon={shown ? "eye-off" : "eye"}
        label={shown ? "Hide the secret" : "Show the secret"}
        pressed={shown}
        onClick={() => setShown(!shown)}
      />
    </div>
  );
}
