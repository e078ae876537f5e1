/** After a refused form: takes the user to the first control with an error. Call it once the errors are rendered. */
export function focusFirstInvalid(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
