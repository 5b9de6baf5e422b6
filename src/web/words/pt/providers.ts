import { html } from "../../html/html.ts";
import type { ProviderWords } from "../en/providers.ts";

export const providerWords: ProviderWords = {
  continueWith: (provider) => `Continuar com ${provider}`,
  lastUsed: "Usado por último",
  or: "ou",
  otherWays: "Outros métodos de login",
  tryAgain: "Tentar novamente",
  begin: (provider) => `Fazer login com ${provider}`,
  back: "Voltar",
  reference: "Para o administrador",
  newAccount: {
    title: "Crie sua conta",
    lead: (provider) =>
      html`Você fez login com ${provider} e ainda não tem uma conta aqui. Esta conta será criada:`,
    email: "Endereço de e-mail",
    provider: "Você faz login com",
    account: "Conta lá",
    memberOf: "Membro de",
    byLink: (organization) =>
      html`Você tem um convite para ${organization}. Para entrar, abra o link do e-mail do convite depois de criar a conta.`,
    name: "Nome",
    nameError: "Informe um nome.",
    emailError: "As contas deste servidor não podem ter este endereço de e-mail. Faça login de outra forma.",
    submit: "Criar a conta",
    cancel: "Cancelar",
    existing: "Já tenho uma conta aqui",
  },
  prove: {
    title: "Você já tem uma conta aqui?",
    lead: (provider) =>
      html`Você veio com uma conta em ${provider}. Ela ainda não está vinculada a nenhuma conta deste servidor.`,
    signIn: "Fazer login como de costume",
    signInLead: "Depois, você decide se quer vincular as duas contas.",
    noMail:
      "Este servidor não pode criar uma conta para você, porque não envia e-mails e, por isso, não consegue confirmar seu endereço. Se você não tem uma conta aqui, peça uma a um administrador.",
    mailLead: "Ou confirme seu endereço de e-mail:",
    email: "Endereço de e-mail",
    send: "Enviar um código",
    code: "Código do e-mail",
    codeLead: (email, time) => html`Enviamos um código para ${email}. Ele é válido por ${time}.`,
    useCode: "Continuar",
    sendAgain: "Enviar outro código",
  },
  failures: {
    email: "Informe um endereço de e-mail.",
    wrong_code: "Este código está incorreto. Confira a mensagem novamente.",
    code_ended: "Este código não é mais válido. Solicite outro.",
    throttled: "Houve solicitações demais. Tente novamente em alguns minutos.",
    no_mail: "Este servidor não envia e-mails. Faça login como de costume.",
  },
  offerLink: {
    title: "Vincular estas contas?",
    lead: (provider, email) =>
      html`Assim, você também poderá fazer login como ${email} com sua conta em ${provider}.`,
    organization: (provider, organization) =>
      html`O provedor ${provider} de ${organization} poderá fazer seu login a partir de agora. Quem o administra poderia entrar como você.`,
    account: "Conta lá",
    submit: "Vincular",
    skip: "Não vincular",
  },
  ask_to_switch: {
    title: "Fazer login como outra pessoa?",
    lead: (present, other) => html`Você está conectado como ${present}. Esta conta pertence a ${other}.`,
    submit: (other) => html`Continuar como ${other}`,
    stay: (present) => html`Permanecer como ${present}`,
  },
  goOn: {
    title: "Quase lá",
    lead: (provider) => html`Você voltou de ${provider}.`,
    submit: "Continuar",
  },
  refusals: {
    failed: {
      title: "O login não funcionou",
      message: (provider) => `O login com ${provider} falhou.`,
      hint: "Tente novamente ou faça login de outra forma.",
    },
    unreachable: {
      title: "Sem resposta",
      message: (provider) => `${provider} não está respondendo no momento.`,
      hint: "Faça login de outra forma ou tente novamente mais tarde.",
    },
    not_fresh: {
      title: "Faça login novamente",
      message: (provider) => `Você deveria fazer login novamente, mas ${provider} não pediu isso.`,
      hint: "Tente novamente ou faça login de outra forma.",
    },
    cannot_freshen: {
      title: "Faça login de outra forma",
      message: (provider) => `O aplicativo exige um novo login, e ${provider} não pode pedir isso a você.`,
      hint: "Use sua senha ou uma chave de acesso. Se você não tiver nenhuma, entre primeiro na sua conta e adicione uma.",
    },
    unsolicited: {
      title: "Comece o login aqui",
      message: (provider) => `Esta resposta de ${provider} não pertence a nenhum login deste navegador.`,
      hint: "Talvez tenha demorado demais ou começado em outro lugar. Comece aqui.",
    },
    void: {
      title: "Comece o login novamente",
      message: (provider) => `Sua conta em ${provider} foi vinculada ou desvinculada nesse meio-tempo.`,
      hint: "Comece de novo, e a pergunta será feita outra vez.",
    },
    no_account: {
      title: "Ainda não há uma conta aqui",
      message: (provider) => `Somente com ${provider}, não é possível criar uma conta aqui.`,
      hint: "Se você tem uma conta, faça login de outra forma. Caso contrário, peça uma a um administrador.",
    },
    refuse_inactive: {
      title: "Não é possível fazer login",
      message: (provider) =>
        `A conta deste servidor que corresponde a esta conta em ${provider} não pode ser usada.`,
      hint: "Faça login com outra conta ou fale com um administrador.",
    },
    beyond_reach: {
      title: "Faça login de outra forma",
      message: (provider) => `${provider} não permite fazer login nesta conta.`,
      hint: "Uma organização mantém este provedor para os próprios membros, e não para quem administra outras coisas.",
    },
    linked_elsewhere: {
      title: "Não vinculada",
      message: (provider) => `Esta conta em ${provider} está vinculada a outra conta deste servidor.`,
      hint: "Use outra conta lá ou desfaça o vínculo existente.",
    },
    other_account: {
      title: "Não é a sua conta vinculada",
      message: (provider) => `Esta não é a conta em ${provider} que está vinculada à sua.`,
      hint: "Tente novamente com aquela conta.",
    },
    throttled: {
      title: "Um momento, por favor",
      message: (provider) => `Foram iniciados logins demais com ${provider}.`,
      hint: "Tente novamente em alguns segundos.",
    },
  },
  linking: {
    title: "Vincular outra conta",
    lead: "Depois, você poderá fazer login com ela.",
    link: (provider) => `Vincular ${provider}`,
    lastWay: "Este é seu único modo de fazer login",
    lastWayLead: "Primeiro, defina uma senha, adicione uma chave de acesso ou vincule outra conta.",
  },
  mail: {
    subject: (server) => `Seu código para ${server}`,
    lead: (server, provider) =>
      `Alguém quer usar este endereço em ${server} com uma conta em ${provider}. O código é:`,
    minutes: (time) => `Ele é válido por ${time}. Digite-o somente na página que o pediu.`,
    other: "Se não foi você, não precisa fazer nada: sem o código, nada acontece.",
  },
};
