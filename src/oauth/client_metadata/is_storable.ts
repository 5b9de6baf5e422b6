/** Levels of objects and lists within each other: more than any set of keys has. */
const deepest = 8;

/** Whether storage takes this value of JSON: no NUL and no half of a surrogate pair, and not too deep. */
export function isStorable(value: unknown, levels = deepest): boolean {
  if (typeof value === "string") return !value.includes("\0") && value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  return Object.entries(value).every(([name, item]) => isStorable(name) && isStorable(item, levels - 1));
}
