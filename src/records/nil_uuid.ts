/** The nil UUID (RFC 9562 section 5.9): the id of no record, before every other in the order of ids. */
export const nilUuid = "00000000-0000-0000-0000-000000000000";
