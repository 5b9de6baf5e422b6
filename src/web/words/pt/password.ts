import { html } from "../../html/html.ts";
import type { PasswordWords } from "../en/password.ts";
import { plural } from "./plural.ts";

export const passwordWords: PasswordWords = {
  forgotLink: "Esqueceu sua senha?",
  forgotTitle: "Esqueceu sua senha?",
  forgotLead: "Informe seu e-mail, e enviaremos um link para você escolher uma nova senha.",
  email: "Endereço de e-mail",
  sendLink: "Enviar o link",
  backToSignIn: "Voltar ao login",
  outOfDate: "Este formulário estava desatualizado. Tente novamente.",
  emailError: "Informe um endereço de e-mail, como nome@example.com.",
  tooMany: "Isso foi solicitado vezes demais em pouco tempo.",
  askedTitle: "Verifique seu e-mail",
  askedLead: plural({
    one: (figure) =>
      `Se houver uma conta com este endereço, uma mensagem está a caminho. O link nela funciona uma vez, por ${figure} minuto.`,
    other: (figure) =>
      `Se houver uma conta com este endereço, uma mensagem está a caminho. O link nela funciona uma vez, por ${figure} minutos.`,
  }),
  askedHint: "Nada depois de alguns minutos? Verifique sua pasta de spam e se o endereço é o da sua conta.",
  askedFor: (email) => html`Você informou ${email}.`,
  otherAddress: "Usar outro endereço",
  signInOtherwise: {
    lead: "Sua conta não tem senha. Faça login como antes e remova tudo o que não for seu:",
    passkey: "Com sua chave de acesso",
    provider: (provider) => `Com sua conta em ${provider}`,
  },
  offTitle: "Sem envio de e-mails",
  offLead:
    "Este servidor não envia e-mails, por isso não pode enviar um link. Um administrador pode definir uma nova senha para você.",
  resetTitle: "Escolher uma nova senha",
  resetLead: "Todas as suas sessões serão encerradas, e você fará login com a nova senha.",
  newPassword: "Nova senha",
  newPasswordAgain: "Repita a nova senha",
  passwordHint: plural({
    one: (figure) =>
      `Pelo menos ${figure} caractere. Algumas palavras sem relação entre si são mais seguras do que uma palavra incomum.`,
    other: (figure) =>
      `Pelo menos ${figure} caracteres. Algumas palavras sem relação entre si são mais seguras do que uma palavra incomum.`,
  }),
  setPassword: "Definir a senha",
  tooShort: "Esta senha é curta demais.",
  tooLong: "Esta senha é longa demais.",
  tooCommon: "Esta senha é comum demais e fácil de adivinhar.",
  differs: "As duas senhas não são iguais.",
  deadTitle: "Este link expirou ou já foi usado",
  deadLead: "Um link mais recente pode tê-lo substituído. Solicite um novo.",
  askAgain: "Solicitar um novo link",
  doneTitle: "Sua senha foi definida",
  doneLead: "Todas as suas sessões foram encerradas. Faça login com sua nova senha.",
  signIn: "Fazer login",
  mailGreeting: "Olá!",
  mailSubject: (server) => `Escolha uma nova senha em ${server}`,
  mailAsked: (server) =>
    `Alguém solicitou uma nova senha para a conta com este endereço em ${server}. Com este link, você pode escolher uma:`,
  mailButton: "Escolher uma nova senha",
  mailOnce: plural({
    one: (figure) =>
      `Ele funciona uma vez, por ${figure} minuto. Se você solicitar novamente, somente o link mais recente funciona.`,
    other: (figure) =>
      `Ele funciona uma vez, por ${figure} minutos. Se você solicitar novamente, somente o link mais recente funciona.`,
  }),
  mailIgnore: "Se não foi você, não precisa fazer nada: sua senha continua a mesma.",
  mailNoWaySubject: (server) => `Sua conta em ${server}`,
  mailInactive: (server) =>
    `Alguém solicitou uma nova senha para a conta com este endereço em ${server}. A conta está desativada, por isso não é possível definir uma senha. Um administrador do servidor pode reativá-la.`,
  mailNoPassword: (server) =>
    `Alguém solicitou uma nova senha para a conta com este endereço em ${server}. A conta não tem senha. Você faz login de outra forma:`,
  mailByPasskey: "– com uma das suas chaves de acesso",
  mailByProvider: (provider) => `– com sua conta em ${provider}`,
  mailSetLater: "Depois de fazer login, você pode definir uma senha em “Conta”.",
  mailNothingToDo: "Se não foi você, não precisa fazer nada.",
};
