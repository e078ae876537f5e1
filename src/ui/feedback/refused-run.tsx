import { Notice } from "./notice.tsx";

/** Why a run was not begun, for the dialog that asked for it and stays open. Without problems another run is in the way. */
export function RefusedRun({
  title,
  problems,
}: {
  title: string;
  problems: readonly { message: string; hint: string }[];
}) {
  if (problems.length === 0) {
    return (
      <Notice tone="danger" title="Another run is under way">
        Wait until it has ended, or stop it.
      </Notice>
    );
  }
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
