import { html } from "../../html/html.ts";
import type { InvitationWords } from "../en/invitation.ts";
import { plural } from "./plural.ts";

export const invitationWords: InvitationWords = {
  roles: {
    owner: {
      name: "Proprietário",
      help: "tudo o que um administrador pode fazer, nomeia proprietários, exclui a organização",
    },
    admin: {
      name: "Administrador",
      help: "gerencia a organização, seus membros, aplicativos e chaves",
    },
    developer: {
      name: "Desenvolvedor",
      help: "gerencia aplicativos, seus segredos e contas de serviço",
    },
    member: { name: "Membro", help: "vê a organização, seus membros e seus aplicativos" },
  },
  joinTitle: (organization) => `Entrar em ${organization}`,
  joinHeading: (organization) => html`Entrar em ${organization}?`,
  inviter: "Convite de",
  invited: "Convite para",
  joinAs: "Função",
  join: "Participar",
  signInLead: "Já existe uma conta com este endereço. Faça login com ela para entrar na organização.",
  signIn: "Fazer login",
  makeLead: "Ainda não existe uma conta com este endereço. Crie-a para entrar na organização.",
  takenLead:
    "Outra conta tem um endereço que se lê da mesma forma, por isso nenhuma pode ser criada com este. Peça a quem convidou você que convide outro dos seus endereços.",
  email: "Endereço de e-mail",
  name: "Nome",
  password: "Senha",
  make: "Criar a conta e participar",
  someoneElse: (user) => html`Você está conectado como ${user}, e o convite é para outro endereço.`,
  another: "Usar outra conta",
  signsOut: "Ao criar a conta, sua sessão na outra é encerrada aqui.",
  deadTitle: "Este convite não é mais válido",
  deadLead: "Ele já foi usado ou retirado, ou expirou. Peça outro a quem convidou você.",
  home: "Ir para sua conta",
  joinedTitle: "Você entrou na organização",
  joinedHeading: (organization) => html`Boas-vindas a ${organization}`,
  joinedLead: (roles) => html`Sua função: ${roles}.`,
  wasMember: "Você já era membro, e sua função continua a mesma.",
  toConsole: "Ir para o console",
  mailSubject: (organization) => `Convite para ${organization}`,
  mailInvites: (inviter, organization, server) =>
    `${inviter} convida você para entrar em ${organization} em ${server}.`,
  mailRole: (role) => `Sua função lá: ${role}.`,
  mailButton: "Ver o convite",
  mailOnce: plural({
    one: (figure) => `O link funciona uma vez, por ${figure} dia, e somente para este endereço.`,
    other: (figure) => `O link funciona uma vez, por ${figure} dias, e somente para este endereço.`,
  }),
  mailIgnore: "Se você não sabe do que se trata, não precisa fazer nada.",
};
