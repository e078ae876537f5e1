import { useEffect, useMemo, useRef, useState } from "react";
import { describeFields } from "../../engine/config/describe-fields.ts";
import type { AnyNodeDefinition } from "../../engine/document/define-node.ts";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { ConfigForm, type FormSlots } from "../../forms/config-form.tsx";
import { formProblems } from "../../forms/form-problems.ts";
import { TemplateDataProvider } from "../../forms/template/template-data.tsx";
import { setConfigField } from "../../state/commands/set-config.ts";
import { useCanvasStore, useEditor, useProblemStore } from "../../state/editor/editor-context.tsx";
import { problemsOf } from "../../state/document/problem-store.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { CollectionSlot } from "./collection-slot.tsx";
import { CredentialSlot } from "./credential-slot.tsx";
import { useInspectorSlots } from "./inspector-slots.tsx";
import { HookRequestSlot } from "./hook-request-slot.tsx";
import { McpAppsSlot } from "./mcp-apps-slot.tsx";
import { McpPromptsSlot } from "./mcp-prompts-slot.tsx";
import { McpResourcesSlot } from "./mcp-resources-slot.tsx";
import { McpTermsSlot } from "./mcp-terms-slot.tsx";
import { McpToolsSlot } from "./mcp-tools-slot.tsx";
import { ModelSlot } from "./model-slot.tsx";
import { useNodeData } from "./use-node-data.ts";
import { WorkflowSlot } from "./workflow-slot.tsx";

const slots: FormSlots = {
  credential: CredentialSlot,
  "model-name": ModelSlot,
  workflow: WorkflowSlot,
  collection: CollectionSlot,
  "mcp-tools": McpToolsSlot,
  "mcp-terms": McpTermsSlot,
  "mcp-apps": McpAppsSlot,
  "mcp-resources": McpResourcesSlot,
  "mcp-prompts": McpPromptsSlot,
  "hook-request": HookRequestSlot,
};

/** Moves the focus to the field that a problem or a command pointed to. */
function useFocusField(nodeId: string) {
  const { canvas } = useEditor();
  const form = useRef<HTMLDivElement>(null);
  const wanted = useCanvasStore((state) => state.focusField);
  useEffect(() => {
    if (wanted?.nodeId !== nodeId || wanted.field === "title") return;
    const scope = form.current?.querySelector(`[data-field="${CSS.escape(wanted.field)}"]`) ?? form.current;
    const details = scope?.closest("details");
    if (details) details.open = true;
    scope?.querySelector<HTMLElement>("input, textarea, select, .cm-content, button[role=switch]")?.focus();
    canvas.setState({ focusField: null });
  }, [canvas, nodeId, wanted]);
  // Stays after the focus was moved there.
  const [shown, setShown] = useState<string>();
  if (wanted?.nodeId === nodeId && wanted.field !== shown) setShown(wanted.field);
  return { form, shown };
}

/** The node's config as a form, with what is wrong at each field. */
export function SettingsTab({ node, definition }: { node: NodeRecord; definition: AnyNodeDefinition }) {
  const { context } = useEditor();
  const { NodeActions } = useInspectorSlots();
  const { form, shown } = useFocusField(node.id);
  const found = useProblemStore((state) => problemsOf(state, node.id));
  const fields = describeFields(definition.config);
  const problems = useMemo(() => {
    const byField: Record<string, string> = {};
    for (const { field, message, severity } of found) {
      if (field !== undefined && severity === "error") byField[field] ??= message;
    }
    return { ...byField, ...formProblems(definition.config, node.config) };
  }, [definition, node.config, found]);
  const data = useNodeData(node.id);
  const general = found.filter(({ field }) => field === undefined);
  return (
    <div ref={form} className="flex flex-col p-4">
      <p className="mb-4 text-muted">{definition.summary}</p>
      <NodeActions node={node} />
      {general.length > 0 && (
        <div className="mb-4 flex flex-col gap-2">
          {general.map(({ message, hint, severity }) => (
            <Notice key={message} tone={severity === "error" ? "danger" : "warning"} title={message}>
              {hint}
            </Notice>
          ))}
        </div>
      )}
      <TemplateDataProvider value={data}>
        <ConfigForm
          fields={fields}
          config={node.config}
          problems={problems}
          slots={slots}
          shown={shown}
          onChange={(field, value) => setConfigField(context, node.id, field, value)}
          onEditStart={() => context.document.getState().mark()}
        />
      </TemplateDataProvider>
      {fields.length === 0 && <p className="text-muted">This node has no settings.</p>}
    </div>
  );
}
