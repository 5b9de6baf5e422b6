/**
 * The presentation of a resource type in the console, beyond `admin/resources/resources.ts`;
 * `presentations.http.ts` has the values.
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
 * Actions that an organization's developer may take on an app, unless a platform administrator vouched for
 * it.
 */
interface Vouched {
  readonly vouched?: true;
}

/**
 * Returns whether the action would be refused (`admin/guards/app_changes.ts`), so that it is not offered.
 */
export function isVouchedFor({ vouched }: Vouched, view: PublicView, is_platform_admin: boolean): boolean {
  return vouched === true && view.first_party === true && !is_platform_admin;
}

/**
 * A list of another resource type on a record's page. `vouched` concerns the creation of records from there.
 */
export interface Related extends Vouched {
  readonly resourceType: ResourceType;
  readonly by: string;
  readonly near_top?: true;
  /** The member of the record that the filter must equal; by default its id. */
  readonly of?: string;
  /** The prefilled field of the form for a new record, and the source member; by default `by` and the id. */
  readonly prefill?: readonly [field: string, of: string];
}

/**
 * A change that ends dependents of the record. Such a change has its own page, which shows the number of
 * dependents.
 */
export interface DestructiveChange extends Vouched {
  readonly field: string;
  /**
   * Offered only while the field has this value; the change then sets the opposite value. Without `while`, a
   * form shows the field.
   */
  readonly while?: boolean;
  readonly verb: "switch_off" | "change";
  /** The label of the button, if the action is not named after the field. */
  readonly label?: Action["label"];
  /** Members that users must also send when they change their own record. */
  readonly with?: readonly string[];
  /** The dependent records that the action ends. */
  readonly ends: readonly (keyof ShownImpact)[];
}

/** An action specific to the resource type that ends something; it also has its own page. */
interface EndingVerb {
  readonly verb: Extract<OwnVerb, "sign_out" | "revoke_everything">;
  readonly ends: DestructiveChange["ends"];
}

/**
 * A link on a record's page, for users who may write records of `writes` there; without `writes`, for every
 * viewer.
 */
interface Action extends Vouched {
  readonly label: Exclude<keyof ActionWords, "changeField">;
  readonly writes?: ResourceType;
  readonly href: (id: string) => string;
  readonly when?: (view: PublicView) => boolean;
  /** Whether the link is hidden on the user's own record. */
  readonly others_only?: true;
}

export interface Presentation {
  /** Records of this type appear only on a special page: they have no list, page or form. */
  readonly own_page?: true;
  /**
   * Users who may not create the record directly send an invitation instead, if the organization is known.
   */
  readonly invites?: true;
  /** Users and apps create records of this type, so no link offers a new one. */
  readonly by_others?: true;
  /** Features of which at least one must be on; otherwise there are no such records. */
  readonly needs_feature?: readonly Feature[];
  /** Columns of the list in addition to name and state. */
  readonly columns: readonly string[];
  /** Columns for narrow screens; the first and the last if omitted. */
  readonly brief?: readonly [string, string];
  /** Preset filters of the list, and their values. */
  readonly presets?: { readonly [Name in PresetName]?: Readonly<Record<string, string>> };
  /**
   * Columns that precede the others, shown only if a record of the list has a value other than the given
   * one.
   */
  readonly rare_columns?: Readonly<Record<string, string>>;
  /**
   * The fields that make up a record's label: an id is shown by its last characters, a reference by its name.
   */
  readonly named_by: readonly string[];
  /**
   * Returns the label of a record whose fields do not tell it apart from others; undefined for all others.
   */
  readonly called?: (view: PublicView, words: Words) => string | undefined;
  /**
   * The fields of the label where another record refers to this one and the context does not show its parent.
   */
  readonly referred_by?: readonly string[];
  /**
   * The field whose text (for a reference, its name) must be typed before the record ends; absent if users do
   * not know it.
   */
  readonly typed?: string;
  readonly state?: (view: PublicView, now: Date) => RecordState;
  /** The field that replaces the id in the address of the record's page. */
  readonly addressed_by?: string;
  readonly related: readonly Related[];
  /** The groups of fields. Fields without a group precede the folded groups. */
  readonly groups?: readonly FieldGroup[];
  /** The order of a form's fields, if it differs from that of the groups and of the definition. */
  readonly order?: readonly string[];
  /** The help text of a field, if it differs from the field's own. */
  readonly help?: Readonly<Record<string, keyof FieldHelp>>;
  /** The help texts for platform administrators, who may leave the organization of some records empty. */
  readonly platform_help?: Readonly<Record<string, keyof FieldHelp>>;
  /** The values that only platform administrators may choose for a new record. */
  readonly platform_values?: Readonly<Record<string, readonly string[]>>;
  /** The help texts for the form of a new record. */
  readonly help_of_new?: Readonly<Record<string, keyof FieldHelp>>;
  /** The help texts by the record's kind, or by the value chosen for a new one. */
  readonly help_where?: (
    record: PublicView,
    chosen_value?: string,
  ) => Readonly<Record<string, keyof FieldHelp>>;
  /** Fields that the record's page omits when empty, because few records have them. */
  readonly seldom?: readonly string[];
  /** Settable fields that no form shows, in addition to `id`. */
  readonly unasked?: readonly string[];
  /**
   * The field that forms show instead of an unasked one: it is required in its place, and shows its errors.
   */
  readonly asked_by?: Readonly<Record<string, string>>;
  /**
   * The field that is chosen before the form for a new record and then fixed, and the fields that are
   * meaningless with that value.
   */
  readonly chosen?: {
    readonly field: string;
    readonly unfit: (value: string) => readonly string[];
    /** The initial values of the form for a new record. */
    readonly initial: (value: string) => PublicView;
    /** The fields that a form for a new record shows unfolded. */
    readonly first?: (value: string) => readonly string[];
    /** A sentence about each available value. */
    readonly help?: (value: string, words: Words) => string | undefined;
  };
  /** Fields that the form for a new record leaves empty, because their values follow from the rest. */
  readonly left_open?: readonly string[];
  /** The texts that fields of a new record begin with, for administrators of its organization. */
  readonly begins?: Readonly<Record<string, (organization_id: string) => string>>;
  /** Fields that the form for a new record requires, although the API does not. */
  readonly needed?: readonly string[];
  /** Fields that a link to the form may prefill, in addition to references. */
  readonly prefilled?: readonly string[];
  /** The options of a list whose definition has none: those that have an effect with these settings. */
  readonly offered?: Readonly<Record<string, (switches: Switches) => readonly string[]>>;
  /**
   * The usual values of a field that accepts any: one of them is chosen, or the stored value is unchanged.
   */
  readonly usual?: Readonly<Record<string, readonly string[]>>;
  /** The field that a grid of permissions sets, and the prefix of each permission in its list. */
  readonly granted?: { readonly field: string; readonly prefix: string; readonly folded?: true };
  /** Wire spellings of values that records spell differently, by field. */
  readonly spelled?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly destructive?: readonly DestructiveChange[];
  readonly ending_verbs?: readonly EndingVerb[];
  /** Fields that a deletion requires if this is true for the record. */
  readonly removal_asks?: Readonly<
    Record<string, (admin: Pick<AdminContext, "store">, id: string) => Promise<boolean>>
  >;
  /** The proof that a change of the viewer's own record requires, by the field that contains it. */
  readonly proofs?: Readonly<Record<string, string>>;
  /** Returns notices about the record, on its page and above its form. */
  readonly notices?: (view: PublicView, words: Words) => readonly string[];
  /** Further actions on the record's page. */
  readonly actions?: readonly Action[];
  /** The targets of polymorphic references: another field names the table of the record. */
  readonly leads?: Readonly<Record<string, (view: PublicView) => Reference | undefined>>;
  /**
   * Fields that the form cannot change although the management API can: users create another record
   * instead.
   */
  readonly kept?: readonly string[];
}
