/** Arguments that name who or what a call is for. */
const naming =
  /^(?:to|cc|bcc|recipients?|receivers?|participants?|attendees?|invitees?|members?|users?|user_?names?|emails?|e_?mail_?address(?:es)?|address(?:es)?|phones?|phone_?numbers?|channels?|accounts?|iban|.*(?:_id|_ids|Id|Ids)|ids?|with|customers?|contacts?)$/i;

/** Whether an argument of this name says who or what a call is for. */
export function namesSomebody(argument: string): boolean {
  return naming.test(argument);
}
