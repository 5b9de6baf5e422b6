/**
 * How the console presents a resource type, beyond `admin/resources/resources.ts`; the values are in
 * `presentations.http.ts`.
 */
import type { AdminContext } from "../../admin/access/actor.ts";
import type { OwnVerb } from "../../admin/manage/resource.ts";
import type { Reference } from "../../admin/reports/labels.ts";
import type { ResourceType } from "../../records/definition/permissions.ts";
import type { PublicView } from "../../records/definition/view.ts";
import type { RecordState } from "../../records/names/liveness.ts";
import type { Feature } from "../../records/names/names.ts";
import type { Switches } from "../../records/names/profiles.ts";
import type { ShownImpact } from "../../web/impact_lines.ts";
import type { ActionWords } from "../../web/words/en/actions.ts";
import type { FieldHelp } from "../../web/words/en/field_help.ts";
import type { PresetName } from "../../web/words/en/lists.ts";
import type { Words } from "../../web/words/words.ts";
import type { FieldGroup } from "../fields/field_groups.view.ts";

/**
 * `vouched` marks an action that is restricted for an app that a platform administrator declared trusted
 * (`first_party`): only platform administrators may then take the action.
 */
interface Vouched {
  readonly vouched?: true;
}

/**
 * Returns whether the action must not be offered, because the management layer would refuse it
 * (`admin/guards/app_changes.ts`).
 */
export function isVouchedFor({ vouched }: Vouched, view: PublicView, is_platform_admin: boolean): boolean {
  return vouched === true && view.first_party === true && !is_platform_admin;
}

/**
 * A list of another resource type on a record's page. `vouched` restricts the creation of records from that
 * list.
 */
export interface Related extends Vouched {
  readonly resourceType: ResourceType;
  readonly by: string;
  readonly near_top?: true;
  /** The field of this record to which the `by` filter of the list is set; by default the ID. */
  readonly of?: string;
  /**
   * The field that is prefilled in the form for a new record, and the field of this record with the value; by
   * default `by` and the ID.
   */
  readonly prefill?: readonly [field: string, of: string];
}

/** A change that ends dependent records. It has its own page, which shows how many records end. */
export interface DestructiveChange extends Vouched {
  readonly field: string;
  /**
   * The change is offered only while the field has this value, and sets the opposite value. Without `while`,
   * the page of the change has a field for the new value.
   */
  readonly while?: boolean;
  readonly verb: "switch_off" | "change";
  readonly label?: Action["label"];
  /** Fields that users must also send when they change their own record. */
  readonly with?: readonly string[];
  readonly ends: readonly (keyof ShownImpact)[];
}

interface EndingVerb {
  readonly verb: Extract<OwnVerb, "sign_out" | "revoke_everything">;
  readonly ends: DestructiveChange["ends"];
}

/**
 * If `writes` is set, only viewers who may write that resource type for this record see the link; otherwise,
 * every viewer does.
 */
interface Action extends Vouched {
  readonly label: Exclude<keyof ActionWords, "changeField">;
  readonly writes?: ResourceType;
  readonly href: (id: string) => string;
  readonly when?: (view: PublicView) => boolean;
  readonly others_only?: true;
}

export interface Presentation {
  /** Records of this type appear only on a special page: they have no list, page or form. */
  readonly own_page?: true;
  /** Users who may not create a record directly send an invitation instead, if the organization is known. */
  readonly invites?: true;
  /** Users and apps create records of this type, so the console has no link to create one. */
  readonly by_others?: true;
  /** Settings of which at least one must be on, because records of this type exist only then. */
  readonly needs_feature?: readonly Feature[];
  readonly columns: readonly string[];
  /** The columns on narrow screens; by default the first and the last. */
  readonly brief?: readonly [string, string];
  readonly presets?: { readonly [Name in PresetName]?: Readonly<Record<string, string>> };
  /**
   * Columns that precede the others, each with its usual value. A column is shown only if a record of the
   * list has another value in it.
   */
  readonly rare_columns?: Readonly<Record<string, string>>;
  /** The fields of a record's label. An ID is shown by its last characters, a reference by its name. */
  readonly named_by: readonly string[];
  /**
   * Returns the label of a record that cannot be distinguished from others by its fields; undefined for every
   * other record.
   */
  readonly called?: (view: PublicView, words: Words) => string | undefined;
  /** The fields of the label in references to the record; by default `named_by`. */
  readonly referred_by?: readonly string[];
  /**
   * The field whose value users must type to confirm that the record ends; for a reference, they type the
   * name. Absent if users do not know the value.
   */
  readonly typed?: string;
  readonly state?: (view: PublicView, now: Date) => RecordState;
  /** The field that replaces the ID in the URL of the record's page. */
  readonly addressed_by?: string;
  readonly related: readonly Related[];
  /** Groups of fields. Fields without a group precede the folded groups. */
  readonly groups?: readonly FieldGroup[];
  /** The order of a form's fields, if it differs from that of the groups and the definition. */
  readonly order?: readonly string[];
  readonly help?: Readonly<Record<string, keyof FieldHelp>>;
  /** The help texts for platform administrators, who may leave the organization of some records empty. */
  readonly platform_help?: Readonly<Record<string, keyof FieldHelp>>;
  /** The values that only platform administrators may choose for a new record. */
  readonly platform_values?: Readonly<Record<string, readonly string[]>>;
  readonly help_of_new?: Readonly<Record<string, keyof FieldHelp>>;
  /** The help texts that depend on the record or, for a new record, on the chosen value. */
  readonly help_where?: (
    record: PublicView,
    chosen_value?: string,
  ) => Readonly<Record<string, keyof FieldHelp>>;
  /** Fields that the record's page omits when empty, because few records have them. */
  readonly seldom?: readonly string[];
  /** Fields that no form shows, although the API accepts them. No form shows `id` either. */
  readonly unasked?: readonly string[];
  /**
   * By field in `unasked`, the field that forms show in its place. The shown field is required if the
   * `unasked` field is, and shows its errors.
   */
  readonly asked_by?: Readonly<Record<string, string>>;
  /**
   * The field that is chosen before the form for a new record and cannot be changed afterwards, and the
   * fields that do not apply to the chosen value.
   */
  readonly chosen?: {
    readonly field: string;
    readonly unfit: (value: string) => readonly string[];
    readonly initial: (value: string) => PublicView;
    readonly first?: (value: string) => readonly string[];
    readonly help?: (value: string, words: Words) => string | undefined;
  };
  /** Fields for which the form for a new record does not suggest the default value. */
  readonly left_open?: readonly string[];
  /**
   * By field, the text that the form for a new record contains initially. Administrators of an organization
   * get this text; platform administrators do not.
   */
  readonly begins?: Readonly<Record<string, (organization_id: string) => string>>;
  /** Fields that the form for a new record requires, although the API does not. */
  readonly needed?: readonly string[];
  /** Fields that a link to the form may prefill, in addition to references. */
  readonly prefilled?: readonly string[];
  /** The options of a list field whose definition has no options. The server's settings determine them. */
  readonly offered?: Readonly<Record<string, (switches: Switches) => readonly string[]>>;
  /** The usual values of a field that accepts any value. The form offers them and the stored value. */
  readonly usual?: Readonly<Record<string, readonly string[]>>;
  /** The field that a grid of permissions sets, and the prefix of each permission in its list. */
  readonly granted?: { readonly field: string; readonly prefix: string; readonly folded?: true };
  /** By field, maps values as they are stored to their spelling in the protocol, where the two differ. */
  readonly spelled?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly destructive?: readonly DestructiveChange[];
  readonly ending_verbs?: readonly EndingVerb[];
  /** Fields that a deletion requires if the function returns true for the record. */
  readonly removal_asks?: Readonly<
    Record<string, (admin: Pick<AdminContext, "store">, id: string) => Promise<boolean>>
  >;
  /**
   * By field, a proof such as the current password. Users who change the field in their own record must enter
   * the proof in the field named here.
   */
  readonly proofs?: Readonly<Record<string, string>>;
  readonly notices?: (view: PublicView, words: Words) => readonly string[];
  readonly actions?: readonly Action[];
  /** The targets of polymorphic references, in which another field names the table. */
  readonly leads?: Readonly<Record<string, (view: PublicView) => Reference | undefined>>;
  /**
   * Fields that the form cannot change, although the management API can. Instead, users of the console create
   * another record.
   */
  readonly kept?: readonly string[];
}
