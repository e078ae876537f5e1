import { useState } from "react";
import { Button } from "../../../ui/buttons/button.tsx";
import { Field } from "../../../ui/fields/field.tsx";
import { FilePicker } from "../../../ui/fields/file-picker.tsx";
import { Input } from "../../../ui/fields/input.tsx";
import { Select } from "../../../ui/fields/select.tsx";
import { Switch } from "../../../ui/fields/switch.tsx";
import { Textarea } from "../../../ui/fields/textarea.tsx";
import { type DraftFieldsProps, errorOf } from "./chat-access-fields.tsx";
import { shrinkPicture } from "./shrink-picture.ts";

const themes = [
  { value: "system", label: "As the visitor's device" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;

/** What visitors see. */
export function ChatLooksFields({ draft, problems, onChange }: DraftFieldsProps) {
  return (
    <section aria-label="Looks" className="grid items-start gap-4 md:grid-cols-2">
      <Field label="Title" help="Empty: the workflow's name." {...errorOf(problems.title)}>
        {(control) => (
          <Input
            {...control}
            maxLength={80}
            value={draft.title}
            onChange={(event) => onChange({ title: event.target.value })}
          />
        )}
      </Field>
      <PictureField picture={draft.picture} onChange={(picture) => onChange({ picture })} />
      <Field label="Welcome" help="Stands in an empty conversation." {...errorOf(problems.welcome)}>
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            maxLength={500}
            value={draft.welcome}
            onChange={(event) => onChange({ welcome: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Suggested questions"
        help="Up to four, one per line. Empty: those of the chat trigger."
        {...errorOf(problems.questions)}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            value={draft.questions}
            onChange={(event) => onChange({ questions: event.target.value })}
          />
        )}
      </Field>
      <Field label="Theme">
        {(control) => (
          <Select
            {...control}
            value={draft.theme}
            options={themes}
            onValueChange={(value) =>
              onChange({ theme: themes.find((theme) => theme.value === value)?.value ?? draft.theme })
            }
          />
        )}
      </Field>
      <Field
        label="Colour"
        help="Such as #0f766e. It is made darker or lighter where it could not be read."
        {...errorOf(problems.accent)}
      >
        {(control) => (
          <Input
            {...control}
            placeholder="The studio's own"
            maxLength={7}
            value={draft.accent.light}
            onChange={({ target: { value } }) => onChange({ accent: { light: value.trim(), dark: value.trim() } })}
          />
        )}
      </Field>
      <Field label="Name the tools that are used" inline help="Never their arguments or results.">
        {(control) => (
          <Switch
            {...control}
            checked={draft.steps === "named"}
            onCheckedChange={(named) => onChange({ steps: named ? "named" : "hidden" })}
          />
        )}
      </Field>
      <Field label="Take pictures" inline help="For models that can see.">
        {(control) => (
          <Switch
            {...control}
            checked={draft.attachments}
            onCheckedChange={(attachments) => onChange({ attachments })}
          />
        )}
      </Field>
      <Field label="Take files" inline help="Documents, recordings and any others, up to 16 MB each.">
        {(control) => <Switch {...control} checked={draft.files} onCheckedChange={(files) => onChange({ files })} />}
      </Field>
    </section>
  );
}

function PictureField({ picture, onChange }: { picture: string; onChange: (picture: string) => void }) {
  const [problem, setProblem] = useState<string | null>(null);
  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    const small = await shrinkPicture(file);
    setProblem(
      small === null
        ? "This picture cannot be read, or is too large. Choose a PNG, JPEG or WebP of at most 100 million pixels."
        : null,
    );
    if (small !== null) onChange(small);
  };
  return (
    <Field label="Picture" group help="Shown as a small square." {...errorOf(problem)}>
      {(control) => (
        <div className="flex items-center gap-2">
          {picture !== "" && <img src={picture} alt="" className="size-8 shrink-0 rounded-md border object-cover" />}
          <FilePicker
            label="Picture of the page"
            accept="image/png,image/jpeg,image/webp"
            onFiles={([file]) => void choose(file)}
            trigger={
              <Button {...control} size="sm" icon="image">
                {picture === "" ? "Choose a picture" : "Choose another"}
              </Button>
            }
          />
          {picture !== "" && (
            <Button size="sm" onClick={() => onChange("")}>
              Remove
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}
