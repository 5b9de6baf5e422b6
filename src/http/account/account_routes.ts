/** `/account`: what is a person's own. */
import type { FastifyInstance } from "fastify";
import type { HttpContext } from "../context.ts";
import { ownPasskeyRoutes } from "../passkeys/own_passkey_routes.ts";
import { sudoReturnRoutes } from "../sudo/sudo_return_routes.ts";
import { authenticatorAppRoutes } from "./authenticator_app_routes.ts";
import { cancelRecoveryRoutes } from "./cancel_recovery_routes.ts";
import { changePasswordRoutes } from "./change_password_routes.ts";
import { connectedAppRoutes } from "./connected_app_routes.ts";
import { disownRoutes } from "./disown_routes.ts";
import { linkedAccountRoutes } from "./linked_account_routes.ts";
import { lostPasskeyRoutes } from "./lost_passkey_routes.ts";
import { ownApiKeyRoutes } from "./own_api_key_routes.ts";
import { ownDataRoutes } from "./own_data_routes.ts";
import { ownDeletionRoutes } from "./own_deletion_routes.ts";
import { ownEmailRoutes } from "./own_email_routes.ts";
import { ownOrganizationRoutes } from "./own_organization_routes.ts";
import { profileRoutes } from "./profile_routes.ts";
import { recoveryCodeRoutes } from "./recovery_code_routes.ts";
import { secureAccountRoutes } from "./secure_account_routes.ts";
import { securityRoutes } from "./security_routes.ts";
import { sessionRoutes } from "./session_routes.ts";
import { undoEmailRoutes } from "./undo_email_routes.ts";

export function accountRoutes(app: FastifyInstance, context: HttpContext): void {
  profileRoutes(app, context);
  ownEmailRoutes(app, context);
  ownDataRoutes(app, context);
  ownDeletionRoutes(app, context);
  undoEmailRoutes(app, context);
  securityRoutes(app, context);
  authenticatorAppRoutes(app, context);
  recoveryCodeRoutes(app, context);
  disownRoutes(app, context);
  cancelRecoveryRoutes(app, context);
  lostPasskeyRoutes(app, context);
  ownPasskeyRoutes(app, context);
  changePasswordRoutes(app, context);
  sessionRoutes(app, context);
  secureAccountRoutes(app);
  connectedAppRoutes(app, context);
  linkedAccountRoutes(app, context);
  sudoReturnRoutes(app, context);
  ownApiKeyRoutes(app, context);
  ownOrganizationRoutes(app, context);
}
