import type { ConnectorUse } from "../../nodes/connectors/connector-node.ts";
import type { Connector } from "../../nodes/connectors/connector.ts";
import type { ConnectorChoice } from "../../nodes/connectors/index.ts";
import { typeOfUse } from "../../state/editor/connectors.ts";
import { namedDragType, nodeDragType, operationDragType } from "../../state/editing/node-drag.ts";
import { classNames } from "../../ui/theme/class-names.ts";
import { Icon } from "../../ui/icons/icon.tsx";
import { PaletteFold } from "./palette-line.tsx";

const uses: readonly { use: ConnectorUse; label: string; help: string }[] = [
  { use: "tool", label: "Tool", help: "An agent decides when to use it" },
  { use: "step", label: "Step", help: "Runs each time the flow reaches it" },
];

/** A choice between two, as what operations are added. */
function UseSwitch({ use, onUse }: { use: ConnectorUse; onUse: (use: ConnectorUse) => void }) {
  return (
    <div role="radiogroup" aria-label="Add connectors as" className="flex rounded-md border p-0.5 text-xs">
      {uses.map((one) => (
        <label
          key={one.use}
          title={one.help}
          className={classNames(
            "cursor-pointer rounded px-2 py-0.5 has-focus-visible:outline-2 has-focus-visible:outline-select",
            use === one.use ? "bg-hover font-medium text-ink" : "text-muted hover:text-ink",
          )}
        >
          <input
            type="radio"
            name="connector-use"
            className="sr-only"
            checked={use === one.use}
            onChange={() => onUse(one.use)}
          />
          {one.label}
        </label>
      ))}
    </div>
  );
}

function OperationEntry({ choice, use, onAdd }: { choice: ConnectorChoice; use: ConnectorUse; onAdd: () => void }) {
  const { id, operation } = choice;
  return (
    <button
      type="button"
      draggable
      onDragStart={(event) => {
        event.dataTransfer.setData(nodeDragType, typeOfUse[use]);
        event.dataTransfer.setData(namedDragType(typeOfUse[use]), "");
        event.dataTransfer.setData(operationDragType, id);
        event.dataTransfer.effectAllowed = "copy";
      }}
      onClick={onAdd}
      data-operation={id}
      className="group flex w-full cursor-grab items-center gap-2 rounded-md py-1 pr-2 pl-11 text-left hover:bg-hover active:cursor-grabbing"
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm">{operation.title}</span>
        <span className="block text-xs text-pretty text-muted">{operation.summary}</span>
      </span>
      {operation.writes && (
        <span className="text-faint" title="Changes or sends something">
          <Icon name="pencil-line" size={14} label="Changes or sends something" />
        </span>
      )}
    </button>
  );
}

function CredentialLine({ credential }: Pick<Connector, "credential">) {
  if (credential === undefined) return null;
  return (
    <p className="flex items-center gap-1.5 py-1 pr-2 pl-11 text-xs text-muted">
      <Icon name="key-round" size={12} />
      {credential.optional ? `${credential.title} (optional)` : `Needs: ${credential.title}`}
    </p>
  );
}

/** What services can do, by service. An operation is added as an HTTP request that is filled in but for its credential. */
export default function ConnectorSection({
  services,
  open,
  use,
  onUse,
  onAdd,
}: {
  services: readonly { connector: Connector; choices: readonly ConnectorChoice[] }[];
  /** Whether the operations show at once, since they are what was searched for. */
  open: boolean;
  use: ConnectorUse;
  onUse: (use: ConnectorUse) => void;
  onAdd: (choice: ConnectorChoice) => void;
}) {
  return (
    <section className="mb-2">
      <header className="flex items-center justify-between px-2 pt-2 pb-1">
        <h2 className="text-xs font-medium text-muted">Connectors</h2>
        <UseSwitch use={use} onUse={onUse} />
      </header>
      {services.map(({ connector, choices }) => (
        <PaletteFold
          key={`${connector.id} ${open}`}
          open={open}
          icon={connector.icon}
          role={use === "tool" ? "tool" : "flow"}
          title={connector.title}
          summary={connector.summary}
        >
          <CredentialLine credential={connector.credential} />
          {choices.map((choice) => (
            <OperationEntry key={choice.id} choice={choice} use={use} onAdd={() => onAdd(choice)} />
          ))}
        </PaletteFold>
      ))}
    </section>
  );
}
