export { SignInPage } from "./sign-in-page.tsx";
export { NewPasswordPage } from "./new-password-page.tsx";
export { OAuthCallbackPage } from "./oauth-callback-page.tsx";
