import { Notice } from "./notice.tsx";

/** Why something was not begun, for the dialog that asked for it and stays open. */
export function Refusal({
  title,
  problems,
}: {
  title: string;
  problems: readonly { message: string; hint: string }[];
}) {
  return (
    <Notice tone="danger" title={title}>
      <ul className="flex flex-col gap-1">
        {problems.map(({ message, hint }, index) => (
          <li key={index}>
            <span className="text-ink">{message}</span> {hint}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
