import { html } from "../../html/html.ts";
import type { InvitationWords } from "../en/invitation.ts";
import { plural } from "./plural.ts";

export const invitationWords: InvitationWords = {
  roles: {
    owner: {
      name: "オーナー",
      help: "管理者のすべての権限に加え、オーナーの任命と組織の削除ができます",
    },
    admin: { name: "管理者", help: "組織とそのメンバー、アプリ、キーを管理します" },
    developer: {
      name: "開発者",
      help: "アプリ、アプリのシークレット、サービスアカウントを管理します",
    },
    member: { name: "メンバー", help: "組織とそのメンバー、アプリを閲覧します" },
  },
  joinTitle: (organization) => `${organization} に参加`,
  joinHeading: (organization) => html`${organization} に参加しますか？`,
  inviter: "招待者",
  invited: "招待先",
  joinAs: "ロール",
  join: "参加する",
  signInLead: "このアドレスのアカウントがあります。参加するには、そのアカウントでログインしてください。",
  signIn: "ログイン",
  makeLead: "このアドレスのアカウントはまだありません。アカウントを作成すると参加できます。",
  takenLead:
    "見た目が同じアドレスのアカウントがほかにあるため、このアドレスではアカウントを作成できません。招待した人に、別のアドレスへの招待を依頼してください。",
  email: "メールアドレス",
  name: "名前",
  password: "パスワード",
  make: "アカウントを作成して参加",
  someoneElse: (user) => html`${user} としてログインしていますが、この招待は別のアドレス宛てです。`,
  another: "別のアカウントを使用",
  signsOut: "アカウントを作成すると、ここでは現在のアカウントからログアウトします。",
  deadTitle: "この招待は無効です",
  deadLead:
    "すでに使用されたか、取り消されたか、有効期限が切れています。招待者に新しい招待を依頼してください。",
  home: "アカウントへ",
  joinedTitle: "参加しました",
  joinedHeading: (organization) => html`${organization} へようこそ`,
  joinedLead: (roles) => html`あなたのロール: ${roles}`,
  wasMember: "すでにメンバーのため、ロールは変わりません。",
  toConsole: "コンソールへ",
  mailSubject: (organization) => `${organization} への招待`,
  mailInvites: (inviter, organization, server) =>
    `${inviter} さんから、${server} の ${organization} への招待が届いています。`,
  mailRole: (role) => `ロール: ${role}`,
  mailButton: "招待を表示",
  mailOnce: plural({
    other: (figure) => `このリンクは ${figure} 日間、このアドレスでのみ 1 回使用できます。`,
  }),
  mailIgnore: "心当たりがない場合は、何もする必要はありません。",
};
