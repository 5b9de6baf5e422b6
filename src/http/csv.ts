/** Comma-separated values (RFC 4180), safe to open in a spreadsheet. */

/** What spreadsheets take for the beginning of a formula, wide forms of East Asian input among it. */
const sign = "[=+\\-@\uff1d\uff0b\uff0d\uff20]";
const formula = new RegExp(`^(?:${sign}|[\\t\\r\\n])`);
/** Where a cell begins for spreadsheets that part cells by semicolons or tabs and read no quotes in one. */
const laterFormula = new RegExp(`([;\\t\\r\\n]["' ]*)(?=${sign})`, "g");

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
  const inside = text.replace(laterFormula, "$1'");
  const safe = formula.test(inside) ? `'${inside}` : inside;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
