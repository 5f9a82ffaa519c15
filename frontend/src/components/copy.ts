/** Puts a text into the clipboard; whether that could be done.
 *
 * It can't without permission, nor on a page of plain http: the text can still be selected.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
