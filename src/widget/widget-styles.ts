/** The widget's own styles, inside its shadow root; what a site may change is a variable. */
export const widgetStyles = `
:host { all: initial; position: fixed; right: var(--switchyard-chat-offset, 20px); bottom: var(--switchyard-chat-offset, 20px); z-index: var(--switchyard-chat-layer, 2147483000); }
button { display: grid; place-items: center; width: 56px; height: 56px; padding: 0; border: 0; border-radius: 50%; cursor: pointer; color: var(--switchyard-chat-ink, var(--page-ink)); background: var(--switchyard-chat-accent, var(--page-accent)); box-shadow: 0 4px 16px rgb(0 0 0 / 25%); }
button:hover { filter: brightness(1.08); }
button:focus-visible { outline: 3px solid var(--switchyard-chat-accent, var(--page-accent)); outline-offset: 3px; }
#panel { position: absolute; right: 0; bottom: 68px; width: min(var(--switchyard-chat-width, 400px), calc(100vw - 2 * var(--switchyard-chat-offset, 20px))); height: min(var(--switchyard-chat-height, 620px), calc(100vh - 108px)); overflow: hidden; border-radius: var(--switchyard-chat-radius, 14px); background: Canvas; box-shadow: 0 12px 40px rgb(0 0 0 / 30%); }
#panel[hidden] { display: none; }
iframe { display: block; width: 100%; height: 100%; border: 0; color-scheme: normal; }
@media (max-width: 480px) {
  #panel { position: fixed; inset: 0; bottom: 84px; width: auto; height: auto; border-radius: 0; }
}
`;
