export const HELP = `stakewright: the operator's command line

  stakewright serve                       start the service (npm start)
  stakewright admin token --email ADDRESS create an admin's token, good for a day
  stakewright admin agents [--all]        list the agents of everybody; --all: revoked and expired ones too
  stakewright admin revoke ID             revoke an agent for good
  stakewright admin suspend ID            refuse its key until it is resumed
  stakewright admin resume ID             let its key work again
  stakewright audit verify                check that nothing in the audit log was changed or is missing
  stakewright backup --to FOLDER          copy the data folder, also while the service runs
  stakewright migrate-store --from DATA_DIR --to DATABASE_URL
                                          copy the embedded database of a stopped service to Postgres

Options
  --json       print JSON
  --url URL    admin: work through the service that runs at this address

It reads the same environment variables as the service: DATA_DIR says where the data are, and stakewright
serve --help names the others. Without --url the admin commands open the data folder themselves, which works only
while the service is stopped; "admin token", "audit verify" and "backup" always work.

Exit codes
  0  done
  1  refused or failed; the message says why
  2  the command line or the configuration is wrong
  3  the data folder cannot be opened now: most likely the service is running
`
