/** What the database refuses a change by, in words that every room may ask for. */

/** A unique constraint refused a row. */
export class UniqueViolation extends Error {
  /** `table.column` or `table.column,column`, as the records define what is unique. */
  readonly constraint: string;

  constructor(constraint: string, cause: unknown) {
    super(`a record with the same ${constraint} exists`, { cause });
    this.name = "UniqueViolation";
    this.constraint = constraint;
  }
}

/** A record refers to one that does not exist, or one that is still referred to was to be deleted. */
export class ReferenceViolation extends Error {
  constructor(cause: unknown) {
    super("a record that is referred to is missing, or one that is to be deleted is still referred to", {
      cause,
    });
    this.name = "ReferenceViolation";
  }
}

/**
 * What the work answers, or `taken` where a row of the same unique key was made at the same moment in another
 * way.
 */
export async function orTaken<R, T>(work: Promise<R>, taken: () => T | Promise<T>): Promise<R | T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof UniqueViolation) return taken();
    throw error;
  }
}
