/** Comma-separated values (RFC 4180), safe to open in a spreadsheet. */

/** What spreadsheets take for the beginning of a formula. */
const formula = /^[=+\-@\t\r]/;

/**
 * One line with its line end. Text that a spreadsheet would run as a formula gets an apostrophe before it, as
 * OWASP advises; what is no text is written as JSON.
 */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(cell).join(",")}\r\n`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
