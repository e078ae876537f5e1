import { useMutation } from "@tanstack/react-query";
import { JsonControl } from "../../forms/json-control.tsx";
import type { SlotProps } from "../../forms/control-props.ts";
import { useEditor, useServices } from "../../state/editor/editor-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { showError, showToast } from "../../ui/feedback/toast.tsx";

/** The request that a test run of a webhook starts with: typed, or the last one that came to the test address. */
export function HookRequestSlot(props: SlotProps) {
  const { workflowId } = useEditor();
  const { doors } = useServices();
  const fill = useMutation({
    mutationFn: () => doors.lastHookRequest(workflowId),
    onSuccess: (last) => {
      if (last !== undefined) return props.onChange(last.request);
      const hint = "Send one to the test address, which the Publish dialog shows under Webhook.";
      return showToast("No request has come to the test address", { hint }, "warning");
    },
    onError: (error) => showError(error),
  });
  return (
    <div className="flex flex-col items-start gap-2 *:first:w-full">
      <JsonControl {...props} />
      <Button size="sm" busy={fill.isPending} onClick={() => fill.mutate()}>
        Use last request
      </Button>
    </div>
  );
}
