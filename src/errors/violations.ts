export class UniqueViolation extends Error {
  /** The violated unique key, as the record definitions name it: `table.column` or `table.column,column`. */
  readonly constraint: string;

  constructor(constraint: string, cause: unknown) {
    super(`a record with the same ${constraint} exists`, { cause });
    this.name = "UniqueViolation";
    this.constraint = constraint;
  }
}

export class ReferenceViolation extends Error {
  constructor(cause: unknown) {
    super("a record that is referred to is missing, or one that is to be deleted is still referred to", {
      cause,
    });
    this.name = "ReferenceViolation";
  }
}

/** Returns the result of `work`, or of `taken` if another row has the same unique key. */
export async function orTaken<R, T>(work: Promise<R>, taken: () => T | Promise<T>): Promise<R | T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof UniqueViolation) return taken();
    throw error;
  }
}
