import type { SecurityWords } from "../en/security.ts";

export const securityWords: SecurityWords = {
  lead: "Seus métodos de login e o que aconteceu recentemente na sua conta.",
  password: {
    have: "Você pode fazer login com seu e-mail e uma senha.",
    set: "Definir uma senha",
    single:
      "Você tem um único modo de fazer login. Se o perder, perde a conta: defina uma senha ou adicione outro método.",
  },
  recent: {
    title: "Atividade recente",
    none: "Nada foi registrado ainda.",
    what: "O que aconteceu",
    when: "Quando",
    byOther: "Um administrador",
    kinds: {
      sign_in: "Login",
      sign_in_failed: "Falha no login",
      password_reset: "Nova senha definida por um link de e-mail",
      password_changed: "Senha alterada",
      email_changed: "E-mail alterado",
      "passkey.created": "Chave de acesso adicionada",
      "passkey.updated": "Chave de acesso renomeada",
      "passkey.deleted": "Chave de acesso removida",
      "passkey.refused": "Chave de acesso recusada",
      "authenticator_app.created": "Aplicativo autenticador adicionado",
      "authenticator_app.updated": "Aplicativo autenticador renomeado",
      "authenticator_app.deleted": "Aplicativo autenticador removido",
      "recovery_codes.created": "Novos códigos de recuperação",
      "recovery_code.used": "Código de recuperação usado",
      "linked_account.created": "Conta de um provedor vinculada",
      "linked_account.deleted": "Conta de um provedor desvinculada",
      "user.factors_reset": "Segundos fatores e chaves de acesso redefinidos",
      "user.factor_removed": "Um segundo fator removido",
      "device.created": "Navegador lembrado",
      "device.deleted": "Navegador esquecido",
      "recovery.created": "Recuperação dos segundos fatores solicitada",
      "recovery.deleted": "Recuperação dos segundos fatores cancelada",
      "recovery.finished": "Segundos fatores removidos por uma recuperação",
    },
  },
};
