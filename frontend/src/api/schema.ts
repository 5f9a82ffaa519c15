// Written by `npm run types` from the API's OpenAPI description; do not edit.

export interface paths {
    "/api/v1/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Audit
         * @description Who did what, when and why, newest first.
         */
        get: operations["list_audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/boards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Board Versions
         * @description Boards with their protocols, and what their current results were measured with.
         */
        get: operations["list_board_versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/boards/{dataset}/{scenario}/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create Snapshot
         * @description Keep a board as it stands now, for good.
         */
        post: operations["create_snapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/duplicates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide Duplicates
         * @description Have entries count as one, or each of them alone, whatever was found of them.
         */
        post: operations["decide_duplicates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Entries
         * @description Entries of all kinds, newest first, with what a mark hides from others.
         */
        get: operations["list_entries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/reevaluations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Reevaluations
         * @description Re-evaluations, newest first.
         */
        get: operations["list_reevaluations"];
        put?: never;
        /**
         * Create Reevaluation
         * @description Compute results of a board once more, beside those that it shows.
         *
         *     The board stays as it is until the re-evaluation is applied.
         */
        post: operations["create_reevaluation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/reevaluations/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Reevaluation
         * @description A re-evaluation, how far it is and how long it still takes.
         */
        get: operations["get_reevaluation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/reevaluations/{job_id}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply Reevaluation
         * @description Put the new results in the place of the old ones, at once and all together.
         *
         *     409 `changed` where the board is no longer at the revision that the preview told.
         */
        post: operations["apply_reevaluation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/reevaluations/{job_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel Reevaluation
         * @description End one without a trace on the board.
         */
        post: operations["cancel_reevaluation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/reevaluations/{job_id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview Reevaluation
         * @description What would change if it were applied now: ranks, the largest differences, new failures.
         */
        get: operations["preview_reevaluation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/reevaluations/{job_id}/requeue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Requeue Reevaluation
         * @description Give its dead cells their attempts back.
         */
        post: operations["requeue_reevaluation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/reevaluations/{job_id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start Reevaluation
         * @description Begin one that is proposed.
         */
        post: operations["start_reevaluation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/seasons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Seasons
         * @description Seasons and proposals, the latest first.
         */
        get: operations["list_seasons"];
        put?: never;
        /**
         * Propose Season
         * @description Propose the references of a board's next season; nothing changes until it is accepted.
         */
        post: operations["propose_season"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/seasons/{season_id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept Season
         * @description Begin a season: official scores are over its references from now on.
         */
        post: operations["accept_season"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/seasons/{season_id}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse Season
         * @description Put a proposal away.
         */
        post: operations["refuse_season"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Failed Uploads
         * @description Files that were refused at once or rejected by the validator, newest first.
         */
        get: operations["list_failed_uploads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Users
         * @description Users and what they have uploaded, newest first.
         */
        get: operations["list_users"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set Quota
         * @description Allow a user more or less than everybody, or have their day begin anew.
         */
        patch: operations["set_quota"];
        trace?: never;
    };
    "/api/v1/admin/users/{user_id}/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set Role
         * @description Make a user an admin, or an admin a user; in a signed-in browser, with the password again.
         *
         *     The user's sessions end.  Their tokens gain nothing, and lose what the new role may not do.
         */
        post: operations["set_role"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{user_id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend User
         * @description Stop an account: its sessions end, its tokens rest, its entries stay.
         */
        post: operations["suspend_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{user_id}/unsuspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unsuspend User
         * @description Let a suspended account go on.
         */
        post: operations["unsuspend_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Auth
         * @description Who is signed in, and how one signs in here.
         */
        get: operations["get_auth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/providers/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin At Provider
         * @description Where to sign in elsewhere; `link` adds who one is there to the account that is signed in.
         */
        post: operations["begin_at_provider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask Reset
         * @description Send a link that sets another password, if an account has confirmed this address.
         */
        post: operations["ask_reset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/reset/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish Reset
         * @description Set another password by the link of a mail; every session ends.
         */
        post: operations["finish_reset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign In
         * @description Sign in by name and password; a session of this browser ends, and another begins.
         */
        post: operations["sign_in"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign Out
         * @description End the session of this browser, whether there is one or not.
         */
        post: operations["sign_out"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign Up
         * @description Make an account and sign in, where the operator lets anybody.
         */
        post: operations["sign_up"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Boards
         * @description Every board, smallest dataset first, those without data included.
         */
        get: operations["list_boards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Board
         * @description A board with its rules.
         */
        get: operations["get_board"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/arena": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Arena
         * @description One side over every registered entry of the other, by GRB's formula and clone-robustly.
         *
         *     Near-duplicates are looked for in the background, some seconds after a board changes.  A board
         *     of more than 40,000 cells is too large for it, and says so.
         */
        get: operations["get_arena"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/arena.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Arena File
         * @description One side of the arena as CSV, scores as fractions; 409 where a board is too large for it.
         */
        get: operations["get_arena_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/arena.tex": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Arena Print
         * @description One side of the arena for LaTeX, in percent; 409 where a board is too large for it.
         */
        get: operations["get_arena_print"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/charts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Charts
         * @description What the charts of a board are drawn from.
         */
        get: operations["get_charts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/citation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Citation
         * @description The board as it is now for a list of references: with its revision, date and address.
         */
        get: operations["get_citation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/comparison": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Comparison
         * @description Up to five entries of one side, each counterpart of the view by difficulty.
         *
         *     Differences are from the first of them, in each repeat first.
         */
        get: operations["get_comparison"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/comparison.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Comparison File
         * @description Entries side by side as CSV: a line for each number at every difficulty, as a fraction.
         */
        get: operations["get_comparison_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/comparison.tex": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Comparison Print
         * @description Entries side by side at one difficulty for LaTeX, in percent, with their differences.
         */
        get: operations["get_comparison_print"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/comparison/degrees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Comparison Degrees
         * @description Entries side by side by the degree of the targets, or by how many nodes the graphs have that
         *     are judged: the mean over their counterparts.
         *
         *     Over the best ranked counterparts of which every entry's hits are known: at most 200 cells.
         */
        get: operations["get_comparison_degrees"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/comparison/degrees.{form}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Degrees File
         * @description Entries side by side by the degree of the targets, or the size of graphs, at one difficulty.
         *
         *     As CSV a line for each group of targets and entry, in fractions; for LaTeX in percent.
         */
        get: operations["get_degrees_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/comparison/differences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Comparison Differences
         * @description How sure it is that each entry differs from the first: 95 % intervals, paired on targets.
         *
         *     From the hits of every cell behind the scores; where those are over 200 cells there are none.
         */
        get: operations["get_comparison_differences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/comparison/wins.{form}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Wins File
         * @description Against how many counterparts each of the entries is the best, at every difficulty.
         *
         *     Who shares a first place is counted too.
         */
        get: operations["get_wins_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/feed.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Feed
         * @description What happened on a board, latest first: entries that were ranked, results replaced.
         */
        get: operations["get_feed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get History
         * @description When results of this board were computed once more, why, and what that changed.
         */
        get: operations["get_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/leaderboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Leaderboard
         * @description The ranking of one side by one metric; attacks ascending, since lower is stronger.
         *
         *     While the ranking of a new revision is made, the one before is answered for a moment, unless
         *     the request says `Cache-Control: no-cache`.  ``mine`` gives it as it would be with what only you
         *     see.
         */
        get: operations["get_leaderboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/leaderboard.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Leaderboard File
         * @description The whole ranking of one side as CSV, scores as fractions at this difficulty.
         */
        get: operations["get_leaderboard_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/leaderboard.tex": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Leaderboard Print
         * @description The first 1,000 entries of a ranking for LaTeX, in percent.
         */
        get: operations["get_leaderboard_print"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/matrix": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Matrix
         * @description A window of the matrix, cells of entries that are still being evaluated included.
         *
         *     Attacks and defenses stand in the order of their ranks.  As with the leaderboard, the answer
         *     before may be given for a moment.  ``mine`` adds what only you see.
         */
        get: operations["get_matrix"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/matrix.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Matrix File
         * @description The whole matrix as CSV: a row for each attack, a column for each defense, accuracies.
         *
         *     Ranks, rows and columns are those of the moment it was asked for.  A board that moves to other
         *     rules meanwhile ends the answer before its end.  A process makes four at once at most.
         */
        get: operations["get_matrix_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/matrix.tex": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Matrix Print
         * @description The first 100 attacks against the first 100 defenses for LaTeX, in percent.
         */
        get: operations["get_matrix_print"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/matrix/grid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Matrix Grid
         * @description The matrix at one difficulty as rows of numbers: up to 500 x 500 cells at once.
         *
         *     Larger boards are read in several windows, or as the CSV, which always has all of the matrix.
         */
        get: operations["get_matrix_grid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/picture.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Board Picture
         * @description What a board holds and who is first, as a picture of 1200 × 630 for other sites.
         */
        get: operations["get_board_picture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Rules
         * @description What a board's results depend on, and how its targets are spread over degrees.
         */
        get: operations["get_rules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/seasons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Seasons
         * @description The seasons of a board, the latest first, with their references by the hashes of their files.
         *
         *     There is none while the first references are being made.
         */
        get: operations["get_seasons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/seasons/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Season
         * @description Everybody who is ranked now, over the references of one season; past ones stay readable.
         */
        get: operations["get_season"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/seasons/{number}/ranking.{form}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Season File
         * @description Both rankings over the references of one season as CSV, in fractions, or for LaTeX.
         */
        get: operations["get_season_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Snapshots
         * @description Snapshots of a board, newest first; one is made when a month begins.
         */
        get: operations["list_snapshots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/table": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Table
         * @description The paper's table over a choice: attack x difficulty against defenses, with their metrics.
         *
         *     Metrics are computed over what is chosen, in each repeat first.  Chosen ids that are no ranked
         *     entries of this board are left out, and named in ``missing``.
         */
        get: operations["get_table"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/table.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Table File
         * @description The paper's table over a choice as CSV: a line for each number, as a fraction.
         */
        get: operations["get_table_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/boards/{dataset}/{scenario}/table.tex": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Table Print
         * @description The paper's table over a choice for LaTeX, in percent; of a base the differences.
         */
        get: operations["get_table_print"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cells/{cell_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Cell
         * @description A cell in full: counts, provenance, and the command that recomputes them.
         *
         *     Cells of a re-evaluation that is not applied are there for admins only, and those of an entry
         *     that is not public for its owner and admins.
         */
        get: operations["get_cell"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cells/{cell_id}/breakdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Breakdown
         * @description Where the defense was right: by degree, or size of graphs, and by class, before and after.
         */
        get: operations["get_breakdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cells/{cell_id}/breakdown.{form}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Breakdown File
         * @description Where the defense was right, by degree, margin and class of the targets.
         */
        get: operations["get_breakdown_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cells/{cell_id}/confusion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Confusion
         * @description For which class the targets of each class were taken, with the attack and without it.
         *
         *     Results of versions that did not keep it have none, which ``missing`` says.
         */
        get: operations["get_confusion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cells/{cell_id}/confusion.{form}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Confusion File
         * @description For which class the targets of each class were taken, with the attack and without it.
         */
        get: operations["get_confusion_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cells/{cell_id}/requeue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Requeue
         * @description Give a dead cell its attempts back, once what stopped it is mended.
         */
        post: operations["requeue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cells/{cell_id}/results.{form}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Cell File
         * @description The accuracy of one attack against one defense at each difficulty and in each repeat.
         */
        get: operations["get_cell_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Texts
         * @description The documents that this service comes with; none where it was installed without them.
         */
        get: operations["list_texts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/docs/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Text
         * @description One document, as HTML.
         */
        get: operations["get_text"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Health
         * @description Whether this process answers, whatever its threads wait for.
         */
        get: operations["get_health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Me
         * @description Whose token this is, and where they are told what became of their submissions.
         */
        get: operations["get_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/account/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete Account
         * @description Delete your account, for good.
         *
         *     Entries that rank stay, without a name; all others go with their files, and so do your tokens,
         *     sessions, addresses and messages.
         */
        post: operations["delete_account"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Account
         * @description Everything that is kept of you, as JSON; the files of your entries are at their addresses.
         */
        get: operations["export_account"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Identities
         * @description Who you are elsewhere: each of these signs in to your account.
         */
        get: operations["list_identities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/identities/{identity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Unlink Identity
         * @description End a way to sign in.
         */
        delete: operations["unlink_identity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Notices
         * @description The last 50 messages to the user of this token, newest first, and whether they arrived.
         */
        get: operations["list_notices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set Notifications
         * @description Say where to be told when a submission is ranked, rejected or failed.
         *
         *     A new webhook gets a secret that is shown here only.  A mail address is used once somebody has
         *     followed the link that is sent to it; the one before is told.  In an account that can be signed
         *     in to, only a signed-in browser sets or ends it, and sets it with the account's password.
         */
        put: operations["set_notifications"];
        post?: never;
        /**
         * End Notifications
         * @description Be told nothing any more; webhook and address are forgotten.
         */
        delete: operations["end_notifications"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/notifications/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test Notifications
         * @description Send the event `test` to each channel now, and tell what came back.
         */
        post: operations["test_notifications"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change Password
         * @description Set another password; every other session ends, and this one goes on as a new one.
         */
        put: operations["change_password"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/quota": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Quota
         * @description What of today's uploads is used and left, on each board, and of the room for files.
         */
        get: operations["get_quota"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Sessions
         * @description The browsers in which you are signed in.
         */
        get: operations["list_sessions"];
        put?: never;
        post?: never;
        /**
         * End Sessions
         * @description Sign out everywhere but here.
         */
        delete: operations["end_sessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End Session
         * @description Sign out in one browser.
         */
        delete: operations["end_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Tokens
         * @description Your tokens, without what they are in clear.
         */
        get: operations["list_tokens"];
        put?: never;
        /**
         * Make Token
         * @description Make a token, which is shown here only.  A token can't make another.
         */
        post: operations["make_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke Token
         * @description End a token, at once.
         */
        delete: operations["revoke_token"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Ready
         * @description Whether every part that an upload needs is there.
         */
        get: operations["get_ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reference": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Reference
         * @description This reference, as HTML: every route, what it takes and what it answers.
         */
        get: operations["get_reference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/snapshots/{snapshot_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Snapshot
         * @description A board as it stood: its places over the references, and all its files by hash.
         */
        get: operations["get_snapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/snapshots/{snapshot_id}/cite.bib": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Snapshot Citation
         * @description How to cite a snapshot, with its address and the hash of its numbers.
         */
        get: operations["get_snapshot_citation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/snapshots/{snapshot_id}/files/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Snapshot File
         * @description A file of a snapshot as it is now, or the one with this hash.
         *
         *     410 where it was made anew since, without the name of an entry that was taken back.  Only
         *     ``cells.csv`` under its hash may be kept for ever: it has no names.
         */
        get: operations["get_snapshot_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Status
         * @description Workers, queue, failures of the last 24 hours, and what a new entry may expect.
         *
         *     Everybody's work counts; what is not public is named to its owner and admins only.
         */
        get: operations["get_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Studies
         * @description The studies that this service shows, the newest first.
         */
        get: operations["list_studies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies/{study}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Study
         * @description A study with all of its numbers; accuracies and scores are 0..1.
         */
        get: operations["get_study"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/studies/{study}/files/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Study File
         * @description A file of a study: its runs as CSV, its table for LaTeX, its plots, everything as JSON.
         */
        get: operations["get_study_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Submissions
         * @description Submissions, newest first: those that are public, and one's own.
         */
        get: operations["list_submissions"];
        put?: never;
        /**
         * Submit
         * @description Upload an attack or a defense.
         *
         *     The header of the file is checked at once; the rest, and the evaluation against every
         *     registered counterpart, follow.  The `Location` header says where to watch, `RateLimit` what is
         *     left of today's uploads.
         */
        post: operations["submit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/submissions/{submission_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Submission
         * @description Everything public about a submission, or about one's own.
         */
        get: operations["get_submission"];
        put?: never;
        post?: never;
        /**
         * Delete
         * @description Remove an entry's file and whatever tells whose it was; its owner or an admin may.
         *
         *     Can't be undone.  It stays as an anonymous attempt, counted as before, and its finished cells
         *     keep their numbers.
         */
        delete: operations["delete"];
        options?: never;
        head?: never;
        /**
         * Edit
         * @description Change what is said of an entry, without evaluating it again; its owner or an admin may.
         */
        patch: operations["edit"];
        trace?: never;
    };
    "/api/v1/submissions/{submission_id}/artefact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Artefact
         * @description The file as it was uploaded, once it has been found valid.
         */
        get: operations["get_artefact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/submissions/{submission_id}/badge.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Badge
         * @description Where an entry stands in the reference view, as a picture for other pages.
         */
        get: operations["get_badge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/submissions/{submission_id}/breakdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Entry Breakdown
         * @description Where the entry's cells against the board's references were right, together: by degree,
         *     margin and class of the targets, with those before the attack.
         */
        get: operations["get_entry_breakdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/submissions/{submission_id}/breakdown.{form}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Entry Breakdown File
         * @description Where an entry's cells against the references were right, by degree, margin and class.
         */
        get: operations["get_entry_breakdown_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/submissions/{submission_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow Submission
         * @description How far a submission is, as server-sent events.
         */
        get: operations["follow_submission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/submissions/{submission_id}/flags/{code}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Dismiss Flag
         * @description Take a measured flag off an entry; its page goes on to show it, with the reason.
         */
        post: operations["dismiss_flag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/submissions/{submission_id}/flags/{code}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore Flag
         * @description Undo dismiss.
         */
        post: operations["restore_flag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/submissions/{submission_id}/hide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hide
         * @description Take an entry out of the rankings; a hidden reference still counts for others.
         */
        post: operations["hide"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/submissions/{submission_id}/holdouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Holdouts
         * @description How accurate a defense is at half and double the budget, and under unseen families.
         */
        get: operations["get_holdouts"];
        put?: never;
        /**
         * Ask Holdouts
         * @description Have a ranked defense measured so, and again where that failed; its owner or an admin may.
         *
         *     Workers do it when nothing else waits.  Adversarially trained references are measured unasked.
         */
        post: operations["ask_holdouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/submissions/{submission_id}/holdouts.{form}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Holdouts File
         * @description A defense under attacks that it was not trained for.
         *
         *     As CSV a line for each of them, in fractions; for LaTeX a line for each budget, in percent.
         */
        get: operations["get_holdouts_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/submissions/{submission_id}/measures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Measures
         * @description Macro-F1 and balanced accuracy of an entry's cells, the clean one included.
         */
        get: operations["get_measures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/submissions/{submission_id}/picture.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Submission Picture
         * @description Where an entry stands in the reference view, as a picture for other sites.
         */
        get: operations["get_submission_picture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/submissions/{submission_id}/results.{form}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Results File
         * @description An entry's row or column of the matrix, those of its cells that one sees.
         *
         *     As CSV a line for each cell and difficulty, in fractions, with each repeat and the scores that
         *     weigh classes alike; for LaTeX accuracies in percent.
         */
        get: operations["get_results_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/submissions/{submission_id}/revalidate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revalidate
         * @description Give a submission whose validation stopped its attempts back.
         */
        post: operations["revalidate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/submissions/{submission_id}/score": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Score
         * @description What an entry's score is made of: its counterparts in order, with weights and shares.
         */
        get: operations["get_score"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/submissions/{submission_id}/show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show
         * @description Undo hide; the entry ranks again once it is evaluated against whom it missed.
         */
        post: operations["show"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/submissions/{submission_id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw
         * @description Take an entry out of the rankings; its owner or an admin may.  Can't be undone.
         */
        post: operations["withdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Uploads
         * @description Your own uploads, newest first: unfinished ones, and those that ended lately.
         */
        get: operations["list_uploads"];
        put?: never;
        /**
         * Begin Upload
         * @description Announce an attack or a defense whose bytes will follow by PATCH to `Location`.
         *
         *     The fields are those of the form, as metadata or as JSON. With a `sha256` among them an
         *     unfinished upload of the same bytes is gone on with, and bytes that were submitted before need
         *     not be sent again.
         */
        post: operations["begin_upload"];
        delete?: never;
        /**
         * Capabilities
         * @description What of tus this server does, and how large a file may be.
         */
        options: operations["capabilities"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads/{upload_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Upload
         * @description How far an upload is.
         *
         *     HEAD is for the client that goes on with it: a request that still brings bytes is ended, as its
         *     connection may be lost without the service knowing; `Upload-Offset` says where to go on.
         */
        get: operations["get_upload"];
        put?: never;
        post?: never;
        /**
         * End Upload
         * @description Give up an upload, and its bytes; a submission that it became stays.
         */
        delete: operations["end_upload"];
        options?: never;
        head?: never;
        /**
         * Append
         * @description Bring the bytes from `Upload-Offset` on.
         *
         *     After the last one the file is checked and becomes a submission, as by the form; a file that
         *     breaks the rules is 422 with all its violations. Whatever ends a request early, what arrived is
         *     kept. `RateLimit` with the last bytes tells what is left of today's uploads.
         */
        patch: operations["append"];
        trace?: never;
    };
    "/api/v1/whoami": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Whoami
         * @description Whose token this is, and what it may do.
         */
        get: operations["get_whoami"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * AccountDeletion
         * @description Said by who deletes their account: its name, and their password if they have one.
         */
        AccountDeletion: {
            /** Name */
            name: string;
            /** Password */
            password?: string | null;
        };
        /**
         * AdminSeasonOut
         * @description A season, or a proposal, and which admins proposed and decided it.
         */
        AdminSeasonOut: {
            /** Author */
            author: string | null;
            /** Board */
            board: string;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Decided At */
            decided_at: string | null;
            /** Decided By */
            decided_by: string | null;
            /** Ended At */
            ended_at: string | null;
            /** Id */
            id: string;
            /** Left Out */
            left_out: components["schemas"]["SeasonReference"][];
            /** Number */
            number: number | null;
            /** Protocol */
            protocol: string;
            /** Reason */
            reason: string | null;
            /** References */
            references: components["schemas"]["SeasonReference"][];
            /** Revision */
            revision: number;
            /**
             * State
             * @enum {string}
             */
            state: "proposed" | "current" | "past" | "refused";
        };
        /**
         * AdminSeasonsOut
         * @description Seasons and proposals with who decided them, the latest first.
         */
        AdminSeasonsOut: {
            /** Seasons */
            seasons: components["schemas"]["AdminSeasonOut"][];
        };
        /**
         * AllowanceOut
         * @description What an attacker may do at one difficulty, and how many targets there are.
         */
        AllowanceOut: {
            /** Changes */
            changes?: number | null;
            /** Edges Per Node */
            edges_per_node?: number | null;
            /** Flips */
            flips?: number | null;
            /** Nodes */
            nodes?: number | null;
            /** Targets */
            targets?: number | null;
        };
        /**
         * AnyEntryList
         * @description A page of entries, newest first; ``next`` is the cursor of the next page.
         */
        AnyEntryList: {
            /** Entries */
            entries: components["schemas"]["AnyEntryOut"][];
            /** Next */
            next: string | null;
        };
        /**
         * AnyEntryOut
         * @description An entry as admins see it: with the name and the owner that a mark hides from others.
         */
        AnyEntryOut: {
            /** Attempt */
            attempt: number;
            /** Authors */
            authors: string;
            /** Board */
            board: string;
            /** Bytes */
            bytes: number;
            /** Charged */
            charged: boolean;
            /** Deleted At */
            deleted_at: string | null;
            /** Family */
            family: string;
            /** File Removed At */
            file_removed_at: string | null;
            /** Hidden At */
            hidden_at: string | null;
            /** Id */
            id: string;
            /** Is Reference */
            is_reference: boolean;
            /** Name */
            name: string;
            /** Reason */
            reason: string | null;
            /**
             * Received At
             * Format: date-time
             */
            received_at: string;
            /** Registered At */
            registered_at: string | null;
            /**
             * Side
             * @enum {string}
             */
            side: "attack" | "defense";
            /**
             * State
             * @enum {string}
             */
            state: "received" | "validating" | "rejected" | "evaluating" | "ranked" | "failed";
            /** Url */
            url: string;
            /** User */
            user: string;
            /** User Id */
            user_id: string;
            /** Validated At */
            validated_at: string | null;
            /** Withdrawn At */
            withdrawn_at: string | null;
        };
        /**
         * AppliedOut
         * @description A re-evaluation that changed a board: when, why, and how much.
         */
        AppliedOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Cells */
            cells: number;
            /** Changed */
            changed: number;
            /** Id */
            id: string;
            /** Protocol */
            protocol: string;
            /** Ranks */
            ranks: number;
            /** Reason */
            reason: string;
        };
        /**
         * Apply
         * @description The revision of the board that the preview told.
         */
        Apply: {
            /** Revision */
            revision: number;
        };
        /**
         * ArenaOut
         * @description One side of a board, scored over every registered entry of the other.
         *
         *     ``robust`` counts each cluster of near-duplicates as one opponent, ``own`` is GRB's formula,
         *     which counts them all.  Duplicates are those found at ``scanned_revision`` of the board.  One
         *     that is ``too_large`` has no rows: the explanation says from how many cells on.
         */
        ArenaOut: {
            /** Board */
            board: string;
            /** Clusters */
            clusters: components["schemas"]["ClusterOut"][];
            /**
             * Difficulty
             * @enum {string}
             */
            difficulty: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            /** Explanation */
            explanation: string;
            frontier: components["schemas"]["FrontierOut"] | null;
            /** Mute */
            mute: number;
            /** Opponent Clusters */
            opponent_clusters: number;
            /** Opponents */
            opponents: number;
            own: components["schemas"]["FormOut"];
            /** Revision */
            revision: number;
            robust: components["schemas"]["FormOut"];
            /** Rows */
            rows: components["schemas"]["ArenaRow"][];
            /** Scanned At */
            scanned_at: string | null;
            /** Scanned Revision */
            scanned_revision: number | null;
            /**
             * Side
             * @enum {string}
             */
            side: "attack" | "defense";
            /** Too Large */
            too_large: boolean;
        };
        /**
         * ArenaRow
         * @description An entry of the arena by both forms; ``influence`` is null where no opponent moves it.
         */
        ArenaRow: {
            /** Duplicates */
            duplicates: number;
            entry: components["schemas"]["MatrixEntry"];
            influence: components["schemas"]["InfluenceOut"] | null;
            own: components["schemas"]["Placed"];
            robust: components["schemas"]["Placed"];
        };
        /**
         * AuditEntry
         * @description Who did what, when and why.
         */
        AuditEntry: {
            /** Action */
            action: string;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Details */
            details: {
                [key: string]: unknown;
            };
            /** Id */
            id: string;
            /** Reason */
            reason: string | null;
            /** Subject Id */
            subject_id: string;
            /** Subject Kind */
            subject_kind: string;
            /** User */
            user: string | null;
            /**
             * Via
             * @enum {string}
             */
            via: "api" | "cli" | "service";
        };
        /**
         * AuditList
         * @description A page of the audit log, newest first; ``next`` is the cursor of the next page.
         */
        AuditList: {
            /** Entries */
            entries: components["schemas"]["AuditEntry"][];
            /** Next */
            next: string | null;
        };
        /**
         * AuthOut
         * @description Who is signed in, and how one signs in here.
         */
        AuthOut: {
            /** Confirm Email */
            confirm_email: boolean;
            /** Mail */
            mail: boolean;
            /** Providers */
            providers: components["schemas"]["ProviderOut"][];
            session: components["schemas"]["SignedIn"] | null;
            /**
             * Sign Up
             * @enum {string}
             */
            sign_up: "closed" | "providers" | "open";
        };
        /**
         * BestEntry
         * @description The entry in first place of the reference view, at what its board is ranked by.
         */
        BestEntry: {
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Score */
            score: number;
        };
        /**
         * BoardOut
         * @description A board with its rules.
         */
        BoardOut: {
            /** Architectures */
            architectures: string[];
            /** Attack Bytes */
            attack_bytes: number;
            /** Attack Methods */
            attack_methods: string[];
            /** Attacks */
            attacks: number;
            best_attack: components["schemas"]["BestEntry"] | null;
            best_defense: components["schemas"]["BestEntry"] | null;
            /** Budgets */
            budgets: {
                [key: string]: components["schemas"]["AllowanceOut"];
            };
            /** Changed At */
            changed_at: string | null;
            /** Dataset */
            dataset: string;
            dataset_details: components["schemas"]["DatasetOut"];
            /** Defense Bytes */
            defense_bytes: number;
            /** Defenses */
            defenses: number;
            /** Difficulties */
            difficulties: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean")[];
            /** Feature Range */
            feature_range: [
                number,
                number
            ] | null;
            /** Feature Tolerance */
            feature_tolerance: number;
            /** Graphs */
            graphs: number;
            /** Hint */
            hint: string | null;
            /** Id */
            id: string;
            /** Ladder Step */
            ladder_step: number | null;
            /**
             * Metric
             * @enum {string}
             */
            metric: "accuracy" | "error";
            /** Pending */
            pending: number;
            preparation: components["schemas"]["Preparation"] | null;
            /** Protocol */
            protocol: string | null;
            /**
             * Ranked
             * @enum {string}
             */
            ranked: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            /** Repeats */
            repeats: number;
            /** Revision */
            revision: number;
            /**
             * Scenario
             * @enum {string}
             */
            scenario: "injection" | "modification" | "adjacency" | "attributes";
            /**
             * State
             * @enum {string}
             */
            state: "ready" | "preparing" | "no-data";
            /** Title */
            title: string;
            /** Version */
            version: number;
        };
        /**
         * BoardPaceOut
         * @description A board's state, and how long a new entry would take from now until its rank is known.
         *
         *     The wait is null where no cell was measured yet, or no living worker takes the board's need.
         */
        BoardPaceOut: {
            /** Attack Wait */
            attack_wait: number | null;
            /** Attacks */
            attacks: number;
            /** Cell Seconds */
            cell_seconds: number | null;
            /** Defense Wait */
            defense_wait: number | null;
            /** Defenses */
            defenses: number;
            /** Id */
            id: string;
            /**
             * Need
             * @enum {string}
             */
            need: "cpu" | "gpu" | "gpu-large";
            /**
             * State
             * @enum {string}
             */
            state: "ready" | "preparing" | "no-data";
            /** Title */
            title: string;
        };
        /**
         * BoardQuota
         * @description Today's uploads to one board; only files that are valid count in the end.
         */
        BoardQuota: {
            /** Board */
            board: string;
            /** Left */
            left: number | null;
            /** Limit */
            limit: number | null;
            /** Used */
            used: number;
        };
        /**
         * BoardSummary
         * @description One line of the list of boards.
         */
        BoardSummary: {
            /** Attacks */
            attacks: number;
            best_attack: components["schemas"]["BestEntry"] | null;
            best_defense: components["schemas"]["BestEntry"] | null;
            /** Changed At */
            changed_at: string | null;
            /** Dataset */
            dataset: string;
            /** Defenses */
            defenses: number;
            /** Difficulties */
            difficulties: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean")[];
            /** Graphs */
            graphs: number;
            /** Hint */
            hint: string | null;
            /** Id */
            id: string;
            /**
             * Metric
             * @enum {string}
             */
            metric: "accuracy" | "error";
            /** Pending */
            pending: number;
            preparation: components["schemas"]["Preparation"] | null;
            /**
             * Ranked
             * @enum {string}
             */
            ranked: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            /**
             * Scenario
             * @enum {string}
             */
            scenario: "injection" | "modification" | "adjacency" | "attributes";
            /**
             * State
             * @enum {string}
             */
            state: "ready" | "preparing" | "no-data";
            /** Title */
            title: string;
            /** Version */
            version: number;
        };
        /**
         * BoardVersions
         * @description A board's protocol and revision, and what its current results were measured with.
         */
        BoardVersions: {
            /** Changed At */
            changed_at: string | null;
            /** Id */
            id: string;
            /** Measured */
            measured: components["schemas"]["MeasuredOut"][];
            /**
             * Need
             * @enum {string}
             */
            need: "cpu" | "gpu" | "gpu-large";
            /** Problem */
            problem: string | null;
            /** Protocol */
            protocol: string | null;
            /** Revision */
            revision: number;
            /**
             * State
             * @enum {string}
             */
            state: "ready" | "preparing" | "no-data";
            /** Title */
            title: string;
            /** Undecided */
            undecided: number;
        };
        /**
         * BreakdownOut
         * @description Where a defense was right at one difficulty: by degree, margin and class, before and after.
         *
         *     Of whole graphs there are ``sizes`` in place of degrees, by how many nodes a graph has; at the
         *     mean over budgets targets and hits of all budgets are added up.
         *     ``margins`` is empty where margins were not kept.  ``missing`` says why there is nothing, where
         *     that is so.
         */
        BreakdownOut: {
            /** Cell */
            cell: string;
            change: components["schemas"]["ChangeOut"] | null;
            /** Classes */
            classes: components["schemas"]["GroupOut"][];
            /** Degrees */
            degrees: components["schemas"]["GroupOut"][];
            /**
             * Difficulty
             * @enum {string}
             */
            difficulty: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            /** Margins */
            margins: components["schemas"]["GroupOut"][];
            /** Missing */
            missing: string | null;
            /**
             * Sizes
             * @default []
             */
            sizes: components["schemas"]["GroupOut"][];
        };
        /**
         * BreaksOut
         * @description How many of its counterparts an attack breaks.
         *
         *     It breaks a defense whose accuracy is lower than without an attack, by more than chance: the
         *     95 % interval of the drop, on the same targets, holds no zero.
         */
        BreaksOut: {
            /** Broken */
            broken: number;
            /** Of */
            of: number;
        };
        /**
         * BudgetOut
         * @description What an attack uses of its budget at one difficulty, counted by the service from its file.
         *
         *     ``share`` is the part of all edges, or of all flips, that are allowed; of whole graphs the mean
         *     over them of the changes that are.  Null where none is.
         */
        BudgetOut: {
            /** Share */
            share: number | null;
            /** Spent */
            spent: components["schemas"]["SpentOut"][];
        };
        /**
         * CellCounts
         * @description How many of a submission's cells are in each state.
         */
        CellCounts: {
            /**
             * Dead
             * @default 0
             */
            dead: number;
            /**
             * Done
             * @default 0
             */
            done: number;
            /**
             * Failed
             * @default 0
             */
            failed: number;
            /**
             * Queued
             * @default 0
             */
            queued: number;
            /**
             * Running
             * @default 0
             */
            running: number;
        };
        /**
         * CellOut
         * @description One attack against one defense, in full.
         *
         *     ``replaced_by`` is set where the board shows another result by now, ``replaced_at`` where it is
         *     known since when.
         */
        CellOut: {
            /** Accuracy */
            accuracy: {
                [key: string]: components["schemas"]["ScoreOut"];
            };
            attack: components["schemas"]["MatrixEntry"];
            /** Attempts */
            attempts: number;
            /** Balanced Accuracy */
            balanced_accuracy: {
                [key: string]: components["schemas"]["ScoreOut"];
            };
            /** Board */
            board: string;
            /** Command */
            command: string | null;
            /** Correct */
            correct: {
                [key: string]: number[];
            };
            defense: components["schemas"]["MatrixEntry"];
            /** Earlier */
            earlier: components["schemas"]["EarlierResult"][];
            /** Error Code */
            error_code: string | null;
            /** Error Family */
            error_family: ("submission" | "infrastructure") | null;
            /** Errors */
            errors: {
                [key: string]: number[];
            };
            /** Finished At */
            finished_at: string | null;
            /** Id */
            id: string;
            /** Log */
            log: string | null;
            /** Macro F1 */
            macro_f1: {
                [key: string]: components["schemas"]["ScoreOut"];
            };
            /** Max Attempts */
            max_attempts: number;
            /**
             * Metric
             * @enum {string}
             */
            metric: "accuracy" | "error";
            /** Not Finite */
            not_finite: {
                [key: string]: number[];
            };
            provenance: components["schemas"]["CellProvenance"];
            /**
             * Queued At
             * Format: date-time
             */
            queued_at: string;
            /** Reason */
            reason: string | null;
            /** Replaced At */
            replaced_at: string | null;
            /** Replaced By */
            replaced_by: string | null;
            /** Started At */
            started_at: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "queued" | "running" | "done" | "failed" | "dead";
            /** Total */
            total: {
                [key: string]: number;
            };
        };
        /**
         * CellProvenance
         * @description What a cell's numbers come from.
         */
        CellProvenance: {
            /** Attack Sha256 */
            attack_sha256: string | null;
            /** Defense Sha256 */
            defense_sha256: string | null;
            /** Device */
            device: string | null;
            /** Evaluator Version */
            evaluator_version: number | null;
            /** Hits Sha256 */
            hits_sha256: string | null;
            /** Protocol */
            protocol: string;
            /** Seconds */
            seconds: number | null;
            /** Versions */
            versions: {
                [key: string]: string;
            };
        };
        /**
         * ChangeOut
         * @description Targets by what was predicted without and with the attack, one count per repeat.
         */
        ChangeOut: {
            /** Gained */
            gained: number[];
            /** Kept */
            kept: number[];
            /** Lost */
            lost: number[];
            /** Missed */
            missed: number[];
        };
        /**
         * ChartEntry
         * @description A ranked entry with what charts show of it, over the counterparts of the view.
         *
         *     ``weighted_repeats`` is Weighted in each repeat at the chosen difficulty, where there are
         *     several; over all counterparts of the first 20 of a side only.  ``parameters`` counts a
         *     defense's weights; ``seconds`` is the mean that the evaluation of one of its cells took.
         */
        ChartEntry: {
            clean: components["schemas"]["ScoreOut"] | null;
            /** Family */
            family: string;
            /** Id */
            id: string;
            /** Is Reference */
            is_reference: boolean;
            /** Metrics */
            metrics: {
                [key: string]: components["schemas"]["MetricsOut"];
            };
            /** Name */
            name: string;
            /** Parameters */
            parameters: number | null;
            /** Rank */
            rank: number | null;
            /**
             * Registered At
             * Format: date-time
             */
            registered_at: string;
            /** Seconds */
            seconds: number | null;
            /** Weighted Repeats */
            weighted_repeats: number[];
        };
        /**
         * ChartsOut
         * @description What the charts of a board are drawn from: a view at one difficulty.
         *
         *     ``defenses`` and ``attacks`` are the first of each ranking, at most 100 of ``total_…``.
         *     ``best_…`` tell how the best grew: each entry that was first of its side when it came.
         */
        ChartsOut: {
            /** Attacks */
            attacks: components["schemas"]["ChartEntry"][];
            /** Best Attacks */
            best_attacks: components["schemas"]["RecordOut"][];
            /** Best Defenses */
            best_defenses: components["schemas"]["RecordOut"][];
            /** Board */
            board: string;
            /** Defenses */
            defenses: components["schemas"]["ChartEntry"][];
            /**
             * Difficulty
             * @enum {string}
             */
            difficulty: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            /** Repeats */
            repeats: number;
            /** Revision */
            revision: number;
            /** Total Attacks */
            total_attacks: number;
            /** Total Defenses */
            total_defenses: number;
            /**
             * View
             * @enum {string}
             */
            view: "reference" | "all";
        };
        /**
         * CitationOut
         * @description A record of a board at a revision.
         */
        CitationOut: {
            /** Bibtex */
            bibtex: string;
            /** Board */
            board: string;
            /** Revision */
            revision: number;
        };
        /**
         * ClusterOut
         * @description Entries that count as one.
         *
         *     ``apart`` is the largest share of targets on which two of them differ, null where that was not
         *     measured.
         */
        ClusterOut: {
            /** Apart */
            apart: number | null;
            /** Members */
            members: components["schemas"]["MatrixEntry"][];
            /**
             * Side
             * @enum {string}
             */
            side: "attack" | "defense";
            /**
             * Why
             * @enum {string}
             */
            why: "exact" | "near" | "unmoved" | "decided";
        };
        /**
         * ComingOut
         * @description A re-evaluation that will move the board to another protocol; newcomers wait for it.
         */
        ComingOut: {
            /** Cells */
            cells: number;
            /** Finished */
            finished: number;
            /** Id */
            id: string;
            /** Protocol */
            protocol: string;
            /** Reason */
            reason: string;
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /**
             * State
             * @enum {string}
             */
            state: "proposed" | "running" | "ready";
        };
        /**
         * ComparedDegreesOut
         * @description Accuracies of two to five entries by the degree of the targets, at one difficulty.
         *
         *     Where whole graphs are judged it is by how many nodes they have.
         *
         *     Each is the mean over the ``counted`` counterparts of which every entry's hits are known, the
         *     best ranked first; of defenses the clean row is one of them.  Differences are from the first
         *     entry, in each repeat first.  ``missing`` says why there is nothing, where that is so.
         */
        ComparedDegreesOut: {
            /** Board */
            board: string;
            /** Counted */
            counted: number;
            /**
             * Difficulty
             * @enum {string}
             */
            difficulty: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            /** Entries */
            entries: string[];
            /** Groups */
            groups: components["schemas"]["ComparedGroup"][];
            /** Missing */
            missing: string | null;
            /** Revision */
            revision: number;
            /**
             * Side
             * @enum {string}
             */
            side: "attack" | "defense";
            /** Total */
            total: number;
            /**
             * View
             * @enum {string}
             */
            view: "reference" | "all";
        };
        /**
         * ComparedDifferencesOut
         * @description How sure the differences of two to five entries from the first are, at one difficulty.
         *
         *     Over the ``counted`` counterparts of the comparison, of defenses the clean row among them, in
         *     ``draws`` draws paired on targets and repeats.  ``repeated`` is false where only targets could
         *     be varied.  ``missing`` says why there are no pairs, where that is so.
         */
        ComparedDifferencesOut: {
            /** Board */
            board: string;
            /** Counted */
            counted: number;
            /**
             * Difficulty
             * @enum {string}
             */
            difficulty: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            /** Draws */
            draws: number;
            /** First */
            first: string | null;
            /** Missing */
            missing: string | null;
            /** Pairs */
            pairs: components["schemas"]["ComparedPair"][];
            /** Repeated */
            repeated: boolean;
            /** Revision */
            revision: number;
            /**
             * Side
             * @enum {string}
             */
            side: "attack" | "defense";
            /**
             * View
             * @enum {string}
             */
            view: "reference" | "all";
        };
        /**
         * ComparedEntry
         * @description An entry that is compared; ``wins`` counts the counterparts where it is best.
         */
        ComparedEntry: {
            /** Authors */
            authors: string;
            /** Family */
            family: string;
            /** Id */
            id: string;
            /** Is Reference */
            is_reference: boolean;
            /** Name */
            name: string;
            /** Rank */
            rank: number | null;
            /**
             * State
             * @enum {string}
             */
            state: "received" | "validating" | "rejected" | "evaluating" | "ranked" | "failed";
            /**
             * Visibility
             * @enum {string}
             */
            visibility: "public" | "embargoed" | "private";
            /** Wins */
            wins: {
                [key: string]: number;
            };
        };
        /**
         * ComparedGroup
         * @description Targets whose degree, or number of nodes, is ``low`` to ``high``, by entry in their order.
         */
        ComparedGroup: {
            /** High */
            high: number;
            /** Low */
            low: number;
            /** Targets */
            targets: number;
            /** Values */
            values: components["schemas"]["ValueOut"][];
        };
        /**
         * ComparedInterval
         * @description How much higher an entry's score is than the first's, as a fraction, and its 95 % interval.
         *
         *     ``winner`` is the one of the two that is better by more than chance; null where they can't be
         *     told apart.
         */
        ComparedInterval: {
            /** High */
            high: number;
            /** Low */
            low: number;
            /** Mean */
            mean: number;
            /**
             * Metric
             * @enum {string}
             */
            metric: "weighted" | "average" | "three";
            /** Winner */
            winner: string | null;
        };
        /**
         * ComparedMetric
         * @description A metric of each of the entries at one difficulty, over the counterparts of this answer.
         */
        ComparedMetric: {
            /**
             * Difficulty
             * @enum {string}
             */
            difficulty: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            /**
             * Metric
             * @enum {string}
             */
            metric: "weighted" | "average" | "three";
            /** Values */
            values: (components["schemas"]["ValueOut"] | null)[];
        };
        /**
         * ComparedPair
         * @description An entry against the first of those compared.
         *
         *     ``p_value`` is that of Wilcoxon's signed ranks over the targets: were such hits likely if the
         *     two were equally good?  It is corrected by Holm's method for all the pairs.
         */
        ComparedPair: {
            /** Entry */
            entry: string;
            /** Metrics */
            metrics: components["schemas"]["ComparedInterval"][];
            /** P Value */
            p_value: number;
        };
        /**
         * ComparedRow
         * @description One counterpart at one difficulty against each of the entries, in their order.
         *
         *     ``cells`` and ``values`` are null where there is none.
         */
        ComparedRow: {
            /** Cells */
            cells: (string | null)[];
            /** Counterpart */
            counterpart: string;
            /**
             * Difficulty
             * @enum {string}
             */
            difficulty: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            /** Values */
            values: (components["schemas"]["ValueOut"] | null)[];
        };
        /**
         * ComparisonOut
         * @description Two to five entries of one side; differences are from the first.
         *
         *     ``counterparts`` are those of the view, the best ranked first, at most 100 of ``total``; for
         *     defenses the clean row is the last of them.
         */
        ComparisonOut: {
            /** Board */
            board: string;
            /** Counterparts */
            counterparts: components["schemas"]["TableEntry"][];
            /** Entries */
            entries: components["schemas"]["ComparedEntry"][];
            /** Metrics */
            metrics: components["schemas"]["ComparedMetric"][];
            /** Missing */
            missing: string[];
            /** Repeats */
            repeats: number;
            /** Revision */
            revision: number;
            /** Rows */
            rows: components["schemas"]["ComparedRow"][];
            /**
             * Side
             * @enum {string}
             */
            side: "attack" | "defense";
            /** Total */
            total: number;
            /**
             * View
             * @enum {string}
             */
            view: "reference" | "all";
        };
        /**
         * ConfusionOut
         * @description For which class the targets of each class were taken, at one difficulty.
         *
         *     Rows are true classes and columns predicted ones, each from 0 on; a last column counts targets
         *     without finite logits, which are taken for nothing.  ``repeats`` are the counts of each repeat,
         *     ``mean`` their mean over repeats, ``clean`` that of the same defense without the attack, and
         *     ``change`` the first less the second; at the mean over budgets the counts of all budgets are
         *     added up.  ``missing`` says why there is nothing, where that is so.
         */
        ConfusionOut: {
            /** Cell */
            cell: string;
            /** Change */
            change: number[][] | null;
            /** Classes */
            classes: number;
            /** Clean */
            clean: number[][] | null;
            /**
             * Difficulty
             * @enum {string}
             */
            difficulty: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            /** Mean */
            mean: number[][];
            /** Missing */
            missing: string | null;
            /** Repeats */
            repeats: number[][][];
        };
        /**
         * Curve
         * @description A model under an attack, by budget; clean robustness region, share of brute force's gain.
         */
        Curve: {
            /** Budgets */
            budgets: {
                [key: string]: components["schemas"]["CurvePoint"];
            };
            crr: components["schemas"]["SeedMean"] | null;
            efficacy: components["schemas"]["SeedMean"] | null;
        };
        /**
         * CurveBaseline
         * @description What the clean robustness region is measured from.
         */
        CurveBaseline: {
            /** Score */
            score: number;
            /** Source */
            source: string;
        };
        /**
         * CurveClean
         * @description A model on clean graphs.
         */
        CurveClean: {
            label_difference: components["schemas"]["SeedMean"] | null;
            /** Published */
            published: [
                number,
                number
            ] | null;
            score: components["schemas"]["SeedScore"] | null;
        };
        /**
         * CurveFailure
         * @description A model that has no runs.
         */
        CurveFailure: {
            /** Dataset */
            dataset: string;
            /** Model */
            model: string;
            /** Reason */
            reason: string;
            /** Seed */
            seed: number;
        };
        /**
         * CurveModel
         * @description An architecture, and how it is trained.
         */
        CurveModel: {
            /** Attacks */
            attacks: {
                [key: string]: components["schemas"]["Curve"];
            };
            clean: components["schemas"]["CurveClean"];
            /** Model */
            model: string;
            /** Recipe */
            recipe: {
                [key: string]: string | number;
            };
        };
        /**
         * CurvePoint
         * @description A model under an attack of one budget.
         */
        CurvePoint: {
            label_difference: components["schemas"]["SeedMean"] | null;
            score: components["schemas"]["SeedScore"] | null;
            unmoved?: components["schemas"]["SeedShare"] | null;
        };
        /**
         * CurveStudy
         * @description Which runs were made.
         */
        CurveStudy: {
            /** Attacks */
            attacks: string[];
            /** Budgets */
            budgets: number[];
            /** Dataset */
            dataset: string;
            /** Epochs */
            epochs: number | null;
            /** Models */
            models: string[];
            /** Search */
            search: boolean;
            /** Seeds */
            seeds: number[];
        };
        /**
         * DatasetOut
         * @description The dataset below a board, as registered.
         */
        DatasetOut: {
            /**
             * By Degree
             * @default false
             */
            by_degree: boolean;
            /** Classes */
            classes: number;
            /** Description */
            description: string;
            /**
             * Edge Values
             * @default []
             */
            edge_values: number[];
            /** Edges */
            edges: number;
            /** Features */
            features: number;
            /**
             * Graphs
             * @default 0
             */
            graphs: number;
            /** Licence */
            licence: string;
            /** Name */
            name: string;
            /**
             * Node Values
             * @default []
             */
            node_values: number[];
            /** Nodes */
            nodes: number;
            /** Source */
            source: string;
            /** Title */
            title: string;
        };
        /**
         * DecisionOut
         * @description What was decided of entries that are, or are not, duplicates.
         */
        DecisionOut: {
            /** Board */
            board: string;
            /**
             * Decided At
             * Format: date-time
             */
            decided_at: string;
            /** Entries */
            entries: string[];
            /** Id */
            id: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "merge" | "split";
            /** Reason */
            reason: string;
            /**
             * Side
             * @enum {string}
             */
            side: "attack" | "defense";
        };
        /**
         * DecisionRequest
         * @description Entries of one side of a board that count as one, or each of them alone.
         */
        DecisionRequest: {
            /**
             * Board
             * @example digits/injection@1
             */
            board: string;
            /** Entries */
            entries: string[];
            /**
             * Kind
             * @enum {string}
             */
            kind: "merge" | "split";
            /** Reason */
            reason: string;
        };
        /**
         * DegreeBin
         * @description Nodes whose degree is from ``low`` to ``high``, both included.
         */
        DegreeBin: {
            /** High */
            high: number;
            /** Low */
            low: number;
            /** Nodes */
            nodes: number;
            /** Targets */
            targets: {
                [key: string]: number;
            };
        };
        /**
         * DifferenceOut
         * @description A cell's accuracy before and after, as fractions.
         */
        DifferenceOut: {
            /** After */
            after: number;
            attack: components["schemas"]["MatrixEntry"];
            /** Before */
            before: number;
            defense: components["schemas"]["MatrixEntry"];
        };
        /**
         * DismissalOut
         * @description Why an admin has dismissed a flag, and when.
         */
        DismissalOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Reason */
            reason: string;
        };
        /**
         * EarlierResult
         * @description What a pair's result was before a re-evaluation.
         */
        EarlierResult: {
            /** Accuracy */
            accuracy: {
                [key: string]: components["schemas"]["ScoreOut"];
            };
            /** Evaluator Version */
            evaluator_version: number | null;
            /** Finished At */
            finished_at: string | null;
            /** Id */
            id: string;
            /** Protocol */
            protocol: string;
            /** Replaced At */
            replaced_at: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "queued" | "running" | "done" | "failed" | "dead";
        };
        /**
         * Ended
         * @description How many sessions were ended.
         */
        Ended: {
            /** Ended */
            ended: number;
        };
        /**
         * EntryBreakdownOut
         * @description Where an entry's cells against the references were right at one difficulty, together.
         *
         *     Targets and hits are added up over ``counted`` cells of ``total``, those whose hits are known;
         *     the groups are those of `BreakdownOut`.
         */
        EntryBreakdownOut: {
            /** Classes */
            classes: components["schemas"]["GroupOut"][];
            /** Counted */
            counted: number;
            /** Degrees */
            degrees: components["schemas"]["GroupOut"][];
            /**
             * Difficulty
             * @enum {string}
             */
            difficulty: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            /** Margins */
            margins: components["schemas"]["GroupOut"][];
            /** Missing */
            missing: string | null;
            /**
             * Sizes
             * @default []
             */
            sizes: components["schemas"]["GroupOut"][];
            /** Submission */
            submission: string;
            /** Total */
            total: number;
        };
        /**
         * EntryOut
         * @description What a row of a ranking says of its submission.
         *
         *     ``budget_used`` is the part of an attack's budget that it uses at the ranking's difficulty, of
         *     all edges or flips that are allowed, and ``spent`` what of, a mean over repeats; null where that
         *     was not counted, and for defenses.  ``held_out`` is null of attacks, and where hold-outs are not
         *     measured.
         */
        EntryOut: {
            /** Adversarially Trained */
            adversarially_trained: boolean;
            /** Architecture */
            architecture: string | null;
            /** Attempt */
            attempt: number;
            /** Attempts */
            attempts: number;
            /** Authors */
            authors: string;
            /** Best Of Family */
            best_of_family: boolean;
            /** Best Of Team */
            best_of_team: boolean;
            /** Budget Used */
            budget_used: number | null;
            /** Code Url */
            code_url: string | null;
            /** Family */
            family: string;
            /** Flags */
            flags: string[];
            held_out: components["schemas"]["HeldOut"] | null;
            /** Id */
            id: string;
            /** Is Reference */
            is_reference: boolean;
            /** Ladder */
            ladder: number | null;
            /** Name */
            name: string;
            not_finite: components["schemas"]["NotFiniteOut"] | null;
            /** Paper Url */
            paper_url: string | null;
            /**
             * Registered At
             * Format: date-time
             */
            registered_at: string;
            /** Spent */
            spent: {
                [key: string]: number;
            } | null;
            /** Stochastic */
            stochastic: boolean;
            /** Surrogate */
            surrogate: string | null;
            /** Team */
            team: string | null;
            /**
             * Visibility
             * @enum {string}
             */
            visibility: "public" | "embargoed" | "private";
        };
        /**
         * ExpressiveResults
         * @description Models attacked one by one, white box: results.json of ``grb study expressive``.
         */
        ExpressiveResults: {
            baseline: components["schemas"]["CurveBaseline"];
            /** Failures */
            failures: components["schemas"]["CurveFailure"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "expressive";
            /** Models */
            models: components["schemas"]["CurveModel"][];
            /**
             * Score
             * @enum {string}
             */
            score: "accuracy" | "normalised mean absolute error";
            study: components["schemas"]["CurveStudy"];
        };
        /**
         * FailedUploadList
         * @description A page of uploads that failed, newest first; ``next`` is the cursor of the next page.
         */
        FailedUploadList: {
            /** Next */
            next: string | null;
            /** Uploads */
            uploads: components["schemas"]["FailedUploadOut"][];
        };
        /**
         * FailedUploadOut
         * @description A file that was refused at once, or rejected by the validator.
         */
        FailedUploadOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Board */
            board: string | null;
            /** Bytes */
            bytes: number;
            /** Codes */
            codes: string[];
            /** Id */
            id: string;
            /** Side */
            side: ("attack" | "defense") | null;
            /**
             * Stage
             * @enum {string}
             */
            stage: "header" | "content";
            /** Url */
            url: string | null;
            /** User */
            user: string;
            /** User Id */
            user_id: string;
        };
        /**
         * FailureOut
         * @description How often something failed within 24 hours.
         *
         *     By fault of the submission it ends rejected or failed.  By fault of the infrastructure it is
         *     retried, recovered (done at a later try), dead (a cell) or stopped (a validation).
         */
        FailureOut: {
            /** Code */
            code: string;
            /** Count */
            count: number;
            /**
             * Family
             * @enum {string}
             */
            family: "submission" | "infrastructure";
            /**
             * Outcome
             * @enum {string}
             */
            outcome: "rejected" | "failed" | "dead" | "stopped" | "retried" | "recovered";
            /**
             * Work
             * @enum {string}
             */
            work: "validation" | "cells";
        };
        /**
         * FigureOut
         * @description A number behind a flag; ``text`` is the value with its unit, as a page shows it.
         */
        FigureOut: {
            /** Name */
            name: string;
            /** Text */
            text: string;
            /**
             * Unit
             * @enum {string}
             */
            unit: "share" | "points" | "count" | "number";
            /** Value */
            value: number;
        };
        /**
         * FlagKindOut
         * @description A flag that entries can have; `docs/flags.md` has its threshold and what it proves.
         *
         *     `warning`: the numbers may mean less than they seem to.  `note`: what to know when reading them.
         *     `context`: what holds of many entries, or is declared; the page's rankings leave it out.
         */
        FlagKindOut: {
            /** Code */
            code: string;
            /** Meaning */
            meaning: string;
            /**
             * Severity
             * @enum {string}
             */
            severity: "warning" | "note" | "context";
            /** Title */
            title: string;
        };
        /**
         * FlagOut
         * @description A flag of one entry: why it was raised, in a sentence, and the numbers.
         *
         *     One that an admin has ``dismissed`` is shown beside the entry only, with why.
         */
        FlagOut: {
            /** Code */
            code: string;
            dismissed: components["schemas"]["DismissalOut"] | null;
            /** Figures */
            figures: components["schemas"]["FigureOut"][];
            /** Meaning */
            meaning: string;
            /** Reason */
            reason: string;
            /**
             * Severity
             * @enum {string}
             */
            severity: "warning" | "note" | "context";
            /** Title */
            title: string;
        };
        /**
         * FormOut
         * @description A ranking of the arena by one formula.
         *
         *     ``tau`` is the lowest Kendall's tau between it and the same ranking without one opponent, null
         *     where there is nothing to compare; below 0.9 the ranking is ``fragile``.
         */
        FormOut: {
            /** Fragile */
            fragile: boolean;
            /** Tau */
            tau: number | null;
        };
        /**
         * FrontierOut
         * @description The equilibrium in which an attacker chooses the attack and a defender the defense.
         *
         *     ``value`` is the accuracy, as a fraction, that neither can move to their side.
         */
        FrontierOut: {
            /** Attacks */
            attacks: components["schemas"]["PlayedOut"][];
            /** Defenses */
            defenses: components["schemas"]["PlayedOut"][];
            /** Value */
            value: number;
        };
        /**
         * GridOut
         * @description A window of a board's cells at one difficulty, in few bytes: rows of numbers.
         *
         *     Rows, columns and their order are those of the matrix, the clean row last.  ``cells`` has the
         *     cells' ids, null where none is.  ``states`` has a letter for each cell of a row: ``d`` done,
         *     ``r`` running, ``q`` queued, ``f`` failed, ``x`` dead, ``-`` never evaluated.  ``means`` are
         *     accuracies as fractions, ``spreads`` their population standard deviations over repeats, both
         *     to ten digits; null until done, where the attack lacks the difficulty, and for the spread of one
         *     repeat.  ``best_defenses`` are the places (row, column in this window) of the highest of each
         *     row, ``best_attacks`` of the lowest of each column, the clean row left out.
         */
        GridOut: {
            /** Attacks */
            attacks: components["schemas"]["MatrixEntry"][];
            /** Best Attacks */
            best_attacks: [
                number,
                number
            ][];
            /** Best Defenses */
            best_defenses: [
                number,
                number
            ][];
            /** Board */
            board: string;
            /** Cells */
            cells: (string | null)[][];
            /** Column */
            column: number;
            /** Defenses */
            defenses: components["schemas"]["MatrixEntry"][];
            /**
             * Difficulty
             * @enum {string}
             */
            difficulty: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            /** Means */
            means: (number | null)[][];
            /** Revision */
            revision: number;
            /** Row */
            row: number;
            /** Spreads */
            spreads: (number | null)[][];
            /** States */
            states: string[];
            /** Total Columns */
            total_columns: number;
            /** Total Rows */
            total_rows: number;
            /**
             * View
             * @enum {string}
             */
            view: "reference" | "all";
        };
        /**
         * GroupOut
         * @description Targets whose degree in the clean graph, nodes, margin in percents, or class is ``low`` to
         *     ``high``.
         *
         *     The margin is that of the same defense on the clean graph: the probability of the class that it
         *     predicts less that of the next one.
         */
        GroupOut: {
            accuracy: components["schemas"]["ScoreOut"];
            clean: components["schemas"]["ScoreOut"] | null;
            /** Correct */
            correct: number[];
            /** High */
            high: number;
            /** Low */
            low: number;
            /** Targets */
            targets: number;
        };
        /**
         * Health
         * @description Whether the service is up; ``missing`` names the parts that are not.
         */
        Health: {
            /**
             * Missing
             * @default []
             */
            missing: string[];
            /**
             * Status
             * @enum {string}
             */
            status: "ok" | "unavailable";
            /** Version */
            version: string;
        };
        /**
         * HeldOut
         * @description Mean accuracies of a defense under hold-outs at the ranking's difficulty: the same references
         *     at half, once and double the budget, and families that are not among them; null: not measured.
         */
        HeldOut: {
            /** Double */
            double: number | null;
            /** Half */
            half: number | null;
            /** Same */
            same: number | null;
            /** Unseen */
            unseen: number | null;
        };
        /**
         * HistoryOut
         * @description The re-evaluations of a board, latest first; ``next`` is the cursor of the next page.
         */
        HistoryOut: {
            /** Applied */
            applied: components["schemas"]["AppliedOut"][];
            /** Board */
            board: string;
            coming: components["schemas"]["ComingOut"] | null;
            /** Next */
            next: string | null;
        };
        /**
         * HoldoutAccuracy
         * @description A defense under one hold-out at one difficulty.
         */
        HoldoutAccuracy: {
            accuracy: components["schemas"]["ScoreOut"];
            /** Attack */
            attack: string;
            /** Factor */
            factor: number;
            /** Family */
            family: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "budget" | "unseen";
            /** Sha256 */
            sha256: string;
        };
        /**
         * HoldoutRow
         * @description A defense under all hold-outs of a kind and budget at one difficulty.
         *
         *     ``mean`` is the mean of its accuracies under so many ``attacks``, ``worst`` the lowest.  The
         *     rows of kind ``budget`` are of the same attacks; ``factor`` is the budget, in times of the
         *     board's.
         */
        HoldoutRow: {
            /** Attacks */
            attacks: number;
            /** Factor */
            factor: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "budget" | "unseen";
            /** Mean */
            mean: number;
            /** Worst */
            worst: number;
            /** Worst Attack */
            worst_attack: string;
        };
        /**
         * HoldoutsOut
         * @description How accurate a defense is under attacks that it was not trained for; it ranks nobody.
         *
         *     ``due`` tells whether workers measure it: adversarially trained references, and whoever asks.
         *     Of ``attacks`` that the board has, ``done`` are measured and ``failed`` could not be.
         */
        HoldoutsOut: {
            /** Attacks */
            attacks: number;
            /**
             * Difficulty
             * @enum {string}
             */
            difficulty: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            /** Done */
            done: number;
            /** Due */
            due: boolean;
            /** Failed */
            failed: number;
            /** Measured */
            measured: components["schemas"]["HoldoutAccuracy"][];
            /** Rows */
            rows: components["schemas"]["HoldoutRow"][];
            /** Submission */
            submission: string;
        };
        /**
         * IdentityList
         * @description Who a user is elsewhere.
         */
        IdentityList: {
            /** Identities */
            identities: components["schemas"]["IdentityOut"][];
        };
        /**
         * IdentityOut
         * @description Who a user is elsewhere.
         */
        IdentityOut: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Id */
            id: string;
            /** Issuer */
            issuer: string;
            /** Label */
            label: string;
            /** Used At */
            used_at: string | null;
        };
        /**
         * InfluenceOut
         * @description The opponent without which an entry's rank would change most, and that rank.
         *
         *     Its near-duplicates, ``members`` in all, are left out with it.
         */
        InfluenceOut: {
            /** Members */
            members: number;
            /** Name */
            name: string;
            /** Opponent */
            opponent: string;
            /** Rank */
            rank: number;
        };
        /**
         * IntervalOut
         * @description How sure an entry's score and rank are, by the metric and at the difficulty of the ranking.
         *
         *     ``low`` and ``high`` span 95 % of what the expected score may be, as fractions.  ``first`` is
         *     the probability that the entry is the first; ``tied`` counts the others of its tie group.  These
         *     and the ranks are null for the clean row.  Where ``repeated`` is false there is one repeat, and
         *     only targets were drawn anew.
         */
        IntervalOut: {
            /** First */
            first: number | null;
            /** High */
            high: number;
            /** Low */
            low: number;
            /** Ranks */
            ranks: [
                number,
                number
            ] | null;
            /** Repeated */
            repeated: boolean;
            /** Tie Group */
            tie_group: number | null;
            /** Tied */
            tied: number | null;
        };
        /**
         * IntervalsOut
         * @description What the intervals of a ranking are of: ``stale`` where the board has changed since.
         *
         *     Of a view that is ``too_large`` there are none, of 0 draws: it has too many cells.
         */
        IntervalsOut: {
            /**
             * Computed At
             * Format: date-time
             */
            computed_at: string;
            /** Draws */
            draws: number;
            /** Rank Draws */
            rank_draws: number;
            /** Revision */
            revision: number;
            /** Stale */
            stale: boolean;
            /** Too Large */
            too_large: boolean;
        };
        /**
         * LeaderboardOut
         * @description A ranking by ``metric``: defenses descending, attacks ascending (lower is stronger).
         *
         *     ``rows`` are some of its entries, from the place ``row`` on (0 is the first); those of attacks
         *     end with the row without an attack always, which ``total`` does not count.  ``flags`` explains
         *     those that the rows name.  ``intervals`` is null where none are computed: of a board without
         *     results, and of what only you see.
         */
        LeaderboardOut: {
            /**
             * Best
             * @enum {string}
             */
            best: "all" | "submitter" | "team";
            /** Board */
            board: string;
            /**
             * Difficulty
             * @enum {string}
             */
            difficulty: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            /** Flags */
            flags: components["schemas"]["FlagKindOut"][];
            intervals: components["schemas"]["IntervalsOut"] | null;
            /**
             * Metric
             * @enum {string}
             */
            metric: "weighted" | "average" | "three" | "worst";
            /** Repeats */
            repeats: number;
            /** Revision */
            revision: number;
            /** Row */
            row: number;
            /** Rows */
            rows: components["schemas"]["LeaderboardRow"][];
            /**
             * Side
             * @enum {string}
             */
            side: "attack" | "defense";
            /** Total */
            total: number;
            /**
             * View
             * @enum {string}
             */
            view: "reference" | "all";
        };
        /**
         * LeaderboardRow
         * @description One ranked entry.  ``rank`` is null for the clean row and where no score exists.
         *
         *     ``interval`` is null where none is computed.  ``worst`` is the attack under which a defense is
         *     least accurate, or the defense that stands an attack best, at the difficulty of the ranking.
         */
        LeaderboardRow: {
            breaks: components["schemas"]["BreaksOut"] | null;
            /** Clean */
            clean: {
                [key: string]: components["schemas"]["ScoreOut"];
            } | null;
            entry: components["schemas"]["EntryOut"] | null;
            interval: components["schemas"]["IntervalOut"] | null;
            /** Metrics */
            metrics: {
                [key: string]: components["schemas"]["MetricsOut"];
            };
            /** Rank */
            rank: number | null;
            worst: components["schemas"]["WorstOut"] | null;
        };
        /**
         * MatrixCell
         * @description One attack against one defense.
         */
        MatrixCell: {
            /** Accuracy */
            accuracy: {
                [key: string]: components["schemas"]["ScoreOut"];
            };
            /** Attack */
            attack: string;
            /** Defense */
            defense: string;
            /** Id */
            id: string;
            /**
             * State
             * @enum {string}
             */
            state: "queued" | "running" | "done" | "failed" | "dead";
        };
        /**
         * MatrixEntry
         * @description A row or column head of the matrix.
         */
        MatrixEntry: {
            /** Id */
            id: string;
            /** Is Reference */
            is_reference: boolean;
            /** Name */
            name: string;
            /** Rank */
            rank: number | null;
            /**
             * State
             * @enum {string}
             */
            state: "received" | "validating" | "rejected" | "evaluating" | "ranked" | "failed";
            /**
             * Visibility
             * @enum {string}
             */
            visibility: "public" | "embargoed" | "private";
        };
        /**
         * MatrixOut
         * @description A window of a board's cells.
         *
         *     Attacks are the rows, defenses the columns; both in the order of their ranks, entries that are
         *     not registered yet after them.  The window begins at the places ``row`` and ``column`` (0 is the
         *     first), of so many in all; the clean row is the last of every window, beyond ``total_rows``.
         *     Of the cells that are in it and done, ``best_defenses`` are the highest of each row, and
         *     ``best_attacks`` the lowest of each column, the clean row left out: ids of cells.
         */
        MatrixOut: {
            /** Attacks */
            attacks: components["schemas"]["MatrixEntry"][];
            /** Best Attacks */
            best_attacks: string[];
            /** Best Defenses */
            best_defenses: string[];
            /** Board */
            board: string;
            /** Cells */
            cells: components["schemas"]["MatrixCell"][];
            /** Column */
            column: number;
            /** Defenses */
            defenses: components["schemas"]["MatrixEntry"][];
            /**
             * Difficulty
             * @enum {string}
             */
            difficulty: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            /** Revision */
            revision: number;
            /** Row */
            row: number;
            /** Total Columns */
            total_columns: number;
            /** Total Rows */
            total_rows: number;
            /**
             * View
             * @enum {string}
             */
            view: "reference" | "all";
        };
        /**
         * MeasuredCell
         * @description Scores of one cell of an entry that weigh every class alike, at each difficulty.
         *
         *     Classes without a target are left out of both means.
         */
        MeasuredCell: {
            /** Balanced Accuracy */
            balanced_accuracy: {
                [key: string]: components["schemas"]["ScoreOut"];
            };
            /** Cell */
            cell: string;
            /** Counterpart */
            counterpart: string;
            /** Macro F1 */
            macro_f1: {
                [key: string]: components["schemas"]["ScoreOut"];
            };
        };
        /**
         * MeasuredOut
         * @description Current cells of a board that are done and were measured alike.
         */
        MeasuredOut: {
            /** Cells */
            cells: number;
            /** Device */
            device: string | null;
            /** Evaluator */
            evaluator: number | null;
            /** Oldest */
            oldest: string | null;
            /** Protocol */
            protocol: string;
            /** Torch */
            torch: string | null;
        };
        /**
         * MeOut
         * @description Who a token belongs to, and where they are told.
         */
        MeOut: {
            /** Name */
            name: string;
            notifications: components["schemas"]["NotificationsOut"];
            /**
             * Role
             * @enum {string}
             */
            role: "user" | "admin";
        };
        /**
         * MetricsOut
         * @description GRB's three metrics at one difficulty, and the worst case.
         *
         *     ``three`` is Avg 3-Min for a defense and Avg 3-Max for an attack; ``worst`` the lowest accuracy
         *     of a defense and the highest that an attack leaves, in each repeat; ``n`` counts the rows behind
         *     the score (for a defense the clean row is one of them).
         */
        MetricsOut: {
            average: components["schemas"]["ScoreOut"];
            /** N */
            n: number;
            three: components["schemas"]["ScoreOut"];
            weighted: components["schemas"]["ScoreOut"];
            worst: components["schemas"]["ScoreOut"];
        };
        /**
         * NotFiniteOut
         * @description In how many cells of an entry some target had no finite logits, and how many at most.
         */
        NotFiniteOut: {
            /** Cells */
            cells: number;
            /** Targets */
            targets: number;
        };
        /**
         * NoticeList
         * @description The latest messages, newest first.
         */
        NoticeList: {
            /** Notices */
            notices: components["schemas"]["NoticeOut"][];
        };
        /**
         * NoticeOut
         * @description One message to a user, and whether it arrived.
         */
        NoticeOut: {
            /** Attempts */
            attempts: number;
            /**
             * Channel
             * @enum {string}
             */
            channel: "webhook" | "mail";
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Due At */
            due_at: string | null;
            /** Event */
            event: string;
            /** Id */
            id: string;
            /** Problem */
            problem: string | null;
            /** Sent At */
            sent_at: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "waiting" | "sent" | "failed";
            /** Submission */
            submission: string | null;
        };
        /**
         * NotificationsIn
         * @description Where to be told; what is left out stays as it is, null ends it.
         *
         *     A signed-in browser sends the ``password`` beside an address, where there is one.
         */
        NotificationsIn: {
            /**
             * Email
             * @example ann@lab.org
             */
            email?: string | null;
            /** Password */
            password?: string | null;
            /**
             * Rotate Secret
             * @description Another secret for the same webhook
             * @default false
             */
            rotate_secret: boolean;
            /**
             * Webhook Url
             * @example https://lab.org/grb
             */
            webhook_url?: string | null;
        };
        /**
         * NotificationsOut
         * @description Where a user is told what became of a submission.
         */
        NotificationsOut: {
            /** Email */
            email: string | null;
            /** Email Confirmed */
            email_confirmed: boolean;
            /** Mail Available */
            mail_available: boolean;
            /** Webhook Url */
            webhook_url: string | null;
        };
        /**
         * NotificationsSet
         * @description The same after a change, with what is said only once.
         */
        NotificationsSet: {
            /** Email */
            email: string | null;
            /** Email Confirmed */
            email_confirmed: boolean;
            /** Mail Available */
            mail_available: boolean;
            /** Mail Problem */
            mail_problem: string | null;
            /** Mail Sent */
            mail_sent: boolean;
            /** Webhook Secret */
            webhook_secret: string | null;
            /** Webhook Url */
            webhook_url: string | null;
        };
        /**
         * PasswordChange
         * @description Another password; ``current`` where there is one.
         */
        PasswordChange: {
            /** Current */
            current?: string | null;
            /**
             * New
             * Format: password
             */
            new: string;
        };
        /**
         * Placed
         * @description A rank, and the score behind it as a fraction.
         */
        Placed: {
            /** Rank */
            rank: number;
            /** Score */
            score: number;
        };
        /**
         * PlaceOut
         * @description Where a submission stands while it waits.
         *
         *     ``position`` 1 is next; null means that a worker is at it.  ``seconds`` is what is expected
         *     until its rank is known, from measured times; null where there is no such measure.  ``missing``
         *     is what its board needs where no living worker takes that.
         */
        PlaceOut: {
            /** Missing */
            missing: ("cpu" | "gpu" | "gpu-large") | null;
            /** Position */
            position: number | null;
            /** Seconds */
            seconds: number | null;
            /** Waiting */
            waiting: number;
        };
        /**
         * PlanOut
         * @description What a re-evaluation would compute; nothing was written.
         *
         *     ``seconds`` are of one worker; ``expected`` is how long the workers that are alive would take,
         *     null where none is.
         */
        PlanOut: {
            /** Attacks */
            attacks: number;
            /** Board */
            board: string;
            /** Cells */
            cells: number;
            /** Defenses */
            defenses: number;
            /** Expected */
            expected: number | null;
            /** Protocol */
            protocol: string;
            /** Seconds */
            seconds: number | null;
        };
        /**
         * PlayedOut
         * @description How often the best mixture plays an entry, or each of a cluster in turn.
         */
        PlayedOut: {
            entry: components["schemas"]["MatrixEntry"];
            /** Members */
            members: number;
            /** Share */
            share: number;
        };
        /**
         * Preparation
         * @description How far the making of the baselines is.
         */
        Preparation: {
            /** Done */
            done: number;
            /** Failed */
            failed?: string | null;
            /** Step */
            step: string;
            /** Total */
            total: number;
        };
        /**
         * PreviewOut
         * @description What would change if a re-evaluation were applied now.
         *
         *     ``revision`` is the board's; who applies gives it back, so that nothing changes between.
         */
        PreviewOut: {
            /** Attacks */
            attacks: components["schemas"]["RankChange"][];
            /** Board */
            board: string;
            /** Changed */
            changed: number;
            /** Defenses */
            defenses: components["schemas"]["RankChange"][];
            /**
             * Difficulty
             * @enum {string}
             */
            difficulty: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            /** Failing */
            failing: components["schemas"]["MatrixEntry"][];
            /** Id */
            id: string;
            /** Largest */
            largest: components["schemas"]["DifferenceOut"][];
            /** Moved */
            moved: number;
            /** Revision */
            revision: number;
            /** Revived */
            revived: components["schemas"]["MatrixEntry"][];
            /**
             * State
             * @enum {string}
             */
            state: "proposed" | "running" | "ready" | "applied" | "cancelled";
            /** Unfinished */
            unfinished: number;
            /** Unmeasured */
            unmeasured: components["schemas"]["UnmeasuredOut"][];
            /**
             * View
             * @enum {string}
             */
            view: "reference" | "all";
            /** Waiting */
            waiting: components["schemas"]["MatrixEntry"][];
        };
        /**
         * Problem
         * @description An error: a stable code, a sentence, and for a file every violation that was found.
         */
        Problem: {
            /** Code */
            code: string;
            /** Message */
            message: string;
            /** Request Id */
            request_id?: string | null;
            /**
             * Violations
             * @default []
             */
            violations: components["schemas"]["ViolationOut"][];
        };
        /**
         * ProgressOut
         * @description How many cells of a re-evaluation are in each state, and the seconds until none waits.
         *
         *     ``seconds_left`` is null where no worker is alive or nothing was measured.
         */
        ProgressOut: {
            /** Dead */
            dead: number;
            /** Done */
            done: number;
            /** Failed */
            failed: number;
            /** Queued */
            queued: number;
            /** Running */
            running: number;
            /** Seconds Left */
            seconds_left: number | null;
        };
        /**
         * ProviderAsked
         * @description Where to go after a sign-in elsewhere, and whether it is to add an identity.
         */
        ProviderAsked: {
            /**
             * Link
             * @default false
             */
            link: boolean;
            /**
             * Next
             * @default /account
             */
            next: string;
        };
        /**
         * ProviderGoTo
         * @description Where the browser goes now.
         */
        ProviderGoTo: {
            /** Url */
            url: string;
        };
        /**
         * ProviderOut
         * @description Where else one may sign in.
         */
        ProviderOut: {
            /** Id */
            id: string;
            /** Name */
            name: string;
        };
        /**
         * QueueOut
         * @description One kind of work.  ``stopped`` waits for an admin, as its attempts are used up.
         */
        QueueOut: {
            /** Done */
            done: number;
            /** Oldest Seconds */
            oldest_seconds: number | null;
            /** Running */
            running: number;
            /** Stopped */
            stopped: number;
            /** Waiting */
            waiting: number;
        };
        /**
         * QuotaChange
         * @description What a user is allowed from now on, and why; what is left out stays as it is.
         *
         *     0 is as much as they like, null what the service allows everybody.
         */
        QuotaChange: {
            /** Quota Bytes */
            quota_bytes?: number | null;
            /** Quota Per Day */
            quota_per_day?: number | null;
            /** Reason */
            reason: string;
            /**
             * Reset
             * @default false
             */
            reset: boolean;
        };
        /**
         * QuotaOut
         * @description What a user may upload, and what is left of it.
         */
        QuotaOut: {
            /** Boards */
            boards: components["schemas"]["BoardQuota"][];
            /**
             * Day
             * Format: date-time
             */
            day: string;
            /** Exempt */
            exempt: boolean;
            /**
             * Frees At
             * Format: date-time
             */
            frees_at: string;
            invalid: components["schemas"]["UsedOut"];
            stored_bytes: components["schemas"]["UsedOut"];
        };
        /**
         * RankChange
         * @description One entry before and after; null where it has no rank or no score.
         */
        RankChange: {
            entry: components["schemas"]["MatrixEntry"];
            /** Rank After */
            rank_after: number | null;
            /** Rank Before */
            rank_before: number | null;
            /** Weighted After */
            weighted_after: number | null;
            /** Weighted Before */
            weighted_before: number | null;
        };
        /**
         * RecordOut
         * @description An entry that was the best of its side when it was registered, by the scores of today.
         */
        RecordOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Score */
            score: number;
        };
        /**
         * ReevaluationList
         * @description A page of re-evaluations, newest first; ``next`` is the cursor of the next page.
         */
        ReevaluationList: {
            /** Next */
            next: string | null;
            /** Reevaluations */
            reevaluations: components["schemas"]["ReevaluationOut"][];
        };
        /**
         * ReevaluationOut
         * @description Results of a board computed once more, beside those that it shows.
         */
        ReevaluationOut: {
            /** Author */
            author: string | null;
            /** Board */
            board: string;
            /** Cells */
            cells: number;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Decided At */
            decided_at: string | null;
            /** Decided By */
            decided_by: string | null;
            /** Id */
            id: string;
            /** Outcome */
            outcome: {
                [key: string]: unknown;
            } | null;
            progress: components["schemas"]["ProgressOut"];
            /** Protocol */
            protocol: string;
            /** Ready At */
            ready_at: string | null;
            /** Reason */
            reason: string;
            /** Seconds */
            seconds: number | null;
            /** Selection */
            selection: {
                [key: string]: unknown;
            };
            /** Started At */
            started_at: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "proposed" | "running" | "ready" | "applied" | "cancelled";
        };
        /**
         * ReevaluationRequest
         * @description Which results of a board to compute once more; an empty selection takes all of them.
         */
        ReevaluationRequest: {
            /**
             * Board
             * @example digits/injection@1
             */
            board: string;
            /**
             * Dry Run
             * @default false
             */
            dry_run: boolean;
            /** Reason */
            reason: string;
            selection?: components["schemas"]["Selection"];
        };
        /**
         * ReferenceOut
         * @description The reference of the API as HTML, without its title.
         */
        ReferenceOut: {
            /** Html */
            html: string;
            /** Title */
            title: string;
        };
        /**
         * RequeuedOut
         * @description How many cells wait for a worker again.
         */
        RequeuedOut: {
            /** Cells */
            cells: number;
        };
        /**
         * ResetAsked
         * @description Whose password is to be set anew.
         */
        ResetAsked: {
            /**
             * Email
             * @example ann@lab.org
             */
            email: string;
        };
        /**
         * ResetDone
         * @description Another password, by the link of a mail.
         */
        ResetDone: {
            /**
             * Password
             * Format: password
             */
            password: string;
            /**
             * Token
             * Format: password
             */
            token: string;
        };
        /**
         * RobustnessCell
         * @description A defense under an attack.
         */
        RobustnessCell: {
            /** Attack */
            attack: string;
            /** Defense */
            defense: string;
            /** Mean */
            mean: number;
            /** Official */
            official: number;
            variance: components["schemas"]["Variance"];
        };
        /**
         * RobustnessEntry
         * @description A defense's or an attack's score: official, and over splits.
         */
        RobustnessEntry: {
            /** By Split */
            by_split: number[];
            /** Mean */
            mean: number;
            /** Name */
            name: string;
            /** Official */
            official: number;
            /** Official Rank */
            official_rank: number;
            /** Rank */
            rank: number;
            /** Ranks */
            ranks: number[];
            variance: components["schemas"]["Variance"];
        };
        /**
         * RobustnessResults
         * @description A board over many splits: results.json of ``grb study robustness``.
         */
        RobustnessResults: {
            /** Cells */
            cells: components["schemas"]["RobustnessCell"][];
            /** Estimator */
            estimator: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "robustness";
            /** Sides */
            sides: {
                [key: string]: components["schemas"]["RobustnessSide"];
            };
            study: components["schemas"]["RobustnessStudy"];
        };
        /**
         * RobustnessSide
         * @description The entries of a side, by official rank, and on how many splits each is the first.
         */
        RobustnessSide: {
            /** Entries */
            entries: components["schemas"]["RobustnessEntry"][];
            /** Winners */
            winners: {
                [key: string]: number;
            };
        };
        /**
         * RobustnessStudy
         * @description Which runs were made.
         */
        RobustnessStudy: {
            /** Attacks */
            attacks: string[];
            /** Board */
            board: string;
            /** Defenses */
            defenses: string[];
            /**
             * Difficulty
             * @enum {string}
             */
            difficulty: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            /** Repeats */
            repeats: number;
            /** Seed */
            seed: number;
            /** Seeds */
            seeds: number;
            /** Splits */
            splits: number;
        };
        /**
         * RoleChange
         * @description The role that a user has from now on; the password is of the admin who gives it, if any.
         */
        RoleChange: {
            /** Password */
            password?: string | null;
            /** Reason */
            reason: string;
            /**
             * Role
             * @enum {string}
             */
            role: "user" | "admin";
        };
        /**
         * RulesOut
         * @description What a board's results depend on, beside what `BoardOut` says of it.
         *
         *     ``degrees`` is null where the board's data was never on this service.
         */
        RulesOut: {
            /** Board */
            board: string;
            /** Cell Seconds */
            cell_seconds: number;
            /** Degrees */
            degrees: components["schemas"]["DegreeBin"][] | null;
            /** Evaluator */
            evaluator: number;
            /** Expansion */
            expansion: number;
            /** Metric */
            metric: number;
            /** Protocol */
            protocol: string | null;
            /** Studies */
            studies: components["schemas"]["StudySummary"][];
            /** Work Factor */
            work_factor: number;
        };
        /**
         * ScoreOut
         * @description A mean over repeats, as a fraction, and its population standard deviation.
         *
         *     ``std`` is null where every row behind the score has a single repeat.
         */
        ScoreOut: {
            /** Mean */
            mean: number;
            /** Std */
            std: number | null;
        };
        /**
         * ScorePart
         * @description What one counterpart adds to a Weighted score.
         *
         *     Lists have one value per repeat; at the mean over budgets, those of one budget after another.
         *     ``place`` 1 counts most: the lowest accuracy of a defense, the
         *     highest of an attack.  ``weight`` and ``share`` are means over repeats.
         */
        ScorePart: {
            /** Accuracies */
            accuracies: number[];
            accuracy: components["schemas"]["ScoreOut"];
            /** Cell */
            cell: string;
            counterpart: components["schemas"]["MatrixEntry"];
            /** Places */
            places: number[];
            /** Share */
            share: number;
            /** Weight */
            weight: number;
            /** Weights */
            weights: number[];
        };
        /**
         * ScoreProvenance
         * @description What the cells behind a score were computed with; several where they differ.
         */
        ScoreProvenance: {
            /** Devices */
            devices: string[];
            /** Evaluator Versions */
            evaluator_versions: number[];
            /** Protocol */
            protocol: string;
            /** Seconds */
            seconds: number;
            /** Software */
            software: string[];
        };
        /**
         * SeasonOut
         * @description The references of a board for some time; the official scores of that time are over these.
         */
        SeasonOut: {
            /** Board */
            board: string;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Decided At */
            decided_at: string | null;
            /** Ended At */
            ended_at: string | null;
            /** Id */
            id: string;
            /** Left Out */
            left_out: components["schemas"]["SeasonReference"][];
            /** Number */
            number: number | null;
            /** Protocol */
            protocol: string;
            /** Reason */
            reason: string | null;
            /** References */
            references: components["schemas"]["SeasonReference"][];
            /** Revision */
            revision: number;
            /**
             * State
             * @enum {string}
             */
            state: "proposed" | "current" | "past" | "refused";
        };
        /**
         * SeasonRankingOut
         * @description Everybody who is ranked now, scored over the references of one season.
         */
        SeasonRankingOut: {
            /** Attacks */
            attacks: components["schemas"]["SeasonRow"][];
            /** Defenses */
            defenses: components["schemas"]["SeasonRow"][];
            /**
             * Difficulty
             * @enum {string}
             */
            difficulty: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            season: components["schemas"]["SeasonOut"];
        };
        /**
         * SeasonReference
         * @description A reference of a season, named by the hash of its file, and why it is one.
         *
         *     ``sha256`` is null where the entry was deleted.
         */
        SeasonReference: {
            entry: components["schemas"]["MatrixEntry"];
            /** Family */
            family: string;
            /** Reasons */
            reasons: string[];
            /** Sha256 */
            sha256: string | null;
            /**
             * Side
             * @enum {string}
             */
            side: "attack" | "defense";
        };
        /**
         * SeasonRequest
         * @description The board whose next season is proposed.
         */
        SeasonRequest: {
            /**
             * Board
             * @example digits/injection@1
             */
            board: string;
        };
        /**
         * SeasonRow
         * @description An entry by the references of a season; null where it lacks a result against one.
         *
         *     ``hidden`` is the score over the targets that were hidden: of a board that has such, once the
         *     season is over, of entries that were received before.
         */
        SeasonRow: {
            entry: components["schemas"]["MatrixEntry"];
            /** Hidden */
            hidden: number | null;
            /** Rank */
            rank: number | null;
            /** Weighted */
            weighted: number | null;
        };
        /**
         * SeasonsOut
         * @description Seasons, the latest first.
         */
        SeasonsOut: {
            /** Seasons */
            seasons: components["schemas"]["SeasonOut"][];
        };
        /**
         * SeedMean
         * @description A number over the models of several seeds; ``std`` with ddof 0.
         */
        SeedMean: {
            /** Mean */
            mean: number;
            /** Runs */
            runs: number;
            /** Std */
            std: number;
        };
        /**
         * SeedScore
         * @description Accuracies, or errors over the standard deviation of the test labels.
         */
        SeedScore: {
            /** Mean */
            mean: number;
            /** Runs */
            runs: number;
            /** Std */
            std: number;
        };
        /**
         * SeedShare
         * @description Shares of the test graphs.
         */
        SeedShare: {
            /** Mean */
            mean: number;
            /** Runs */
            runs: number;
            /** Std */
            std: number;
        };
        /**
         * Selection
         * @description Finished cells of one board; every field narrows them, an empty selection is all of them.
         */
        Selection: {
            /**
             * Device
             * @description Measured on this device
             */
            device?: string | null;
            /**
             * Evaluator Before
             * @description Measured by an older evaluator version than this
             */
            evaluator_before?: number | null;
            /**
             * Families
             * @default []
             */
            families: string[];
            /** Finished Before */
            finished_before?: string | null;
            /**
             * Protocol
             * @description Measured under this one; the board's own if not given
             */
            protocol?: string | null;
            /**
             * Side
             * @description Submissions and families count on this side only; `attack` leaves out the clean graph
             */
            side?: ("attack" | "defense") | null;
            /**
             * States
             * @default [
             *       "done"
             *     ]
             */
            states: ("done" | "failed" | "dead")[];
            /**
             * Submissions
             * @description Cells in which one of these takes part
             * @default []
             */
            submissions: string[];
            /**
             * Torch
             * @description Measured with this PyTorch version
             */
            torch?: string | null;
        };
        /**
         * SessionList
         * @description A user's sessions, the one used last first.
         */
        SessionList: {
            /** Sessions */
            sessions: components["schemas"]["SessionOut"][];
        };
        /**
         * SessionOut
         * @description A browser in which the user is signed in.
         */
        SessionOut: {
            /** Agent */
            agent: string;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Current */
            current: boolean;
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /** Id */
            id: string;
            /**
             * Seen At
             * Format: date-time
             */
            seen_at: string;
        };
        /**
         * SignedIn
         * @description Who is signed in, and what their browser sends beside the cookie.
         */
        SignedIn: {
            /** Csrf Token */
            csrf_token: string;
            /** Name */
            name: string;
            /**
             * Role
             * @enum {string}
             */
            role: "user" | "admin";
        };
        /**
         * SignedUp
         * @description A new account; without a session until its mail address is confirmed.
         */
        SignedUp: {
            /** Confirm */
            confirm: string | null;
            session: components["schemas"]["SignedIn"] | null;
        };
        /**
         * SignIn
         * @description Who wants to sign in.
         */
        SignIn: {
            /**
             * Name
             * @example ann
             */
            name: string;
            /**
             * Password
             * Format: password
             */
            password: string;
        };
        /**
         * SignUp
         * @description A new account.
         */
        SignUp: {
            /**
             * Email
             * @example ann@lab.org
             */
            email?: string | null;
            /**
             * Name
             * @example ann
             */
            name: string;
            /**
             * Password
             * Format: password
             */
            password: string;
        };
        /**
         * SnapshotFileOut
         * @description A file of a snapshot; ``url`` has its hash in it and always gives these bytes or none.
         */
        SnapshotFileOut: {
            /** Bytes */
            bytes: number;
            /** Name */
            name: string;
            /** Sha256 */
            sha256: string;
            /** Url */
            url: string;
        };
        /**
         * SnapshotLine
         * @description An entry's place and scores by `ranked` over the references, on that day.
         */
        SnapshotLine: {
            clean: components["schemas"]["ScoreOut"] | null;
            /** Family */
            family: string;
            /** Id */
            id: string;
            /** Mark */
            mark: ("withdrawn" | "hidden" | "deleted" | "anonymous") | null;
            metrics: components["schemas"]["MetricsOut"] | null;
            /** Name */
            name: string;
            /** Rank */
            rank: number | null;
            /** Sha256 */
            sha256: string;
        };
        /**
         * SnapshotList
         * @description A page of snapshots, newest first; ``next`` is the cursor of the next page.
         */
        SnapshotList: {
            /** Next */
            next: string | null;
            /** Snapshots */
            snapshots: components["schemas"]["SnapshotSummary"][];
        };
        /**
         * SnapshotOut
         * @description A board as it stood, with its files and how to cite and to check it.
         */
        SnapshotOut: {
            /** Attacks */
            attacks: number;
            /** Bibtex */
            bibtex: string;
            /** Board */
            board: string;
            /** Cells */
            cells: number;
            /** Command */
            command: string;
            /** Defenses */
            defenses: number;
            /** Digest */
            digest: string;
            /** Files */
            files: components["schemas"]["SnapshotFileOut"][];
            /** Id */
            id: string;
            /**
             * Made At
             * Format: date-time
             */
            made_at: string;
            /**
             * Metric
             * @enum {string}
             */
            metric: "accuracy" | "error";
            /** Month */
            month: string | null;
            /** Protocol */
            protocol: string;
            /** Rankings */
            rankings: {
                [key: string]: components["schemas"]["SnapshotLine"][];
            };
            /** Reason */
            reason: string | null;
            /** Reissued At */
            reissued_at: string | null;
            /** Revision */
            revision: number;
            /** Title */
            title: string;
            /** Url */
            url: string;
        };
        /**
         * SnapshotSummary
         * @description One line of the list of a board's snapshots.
         */
        SnapshotSummary: {
            /** Attacks */
            attacks: number;
            /** Board */
            board: string;
            /** Cells */
            cells: number;
            /** Defenses */
            defenses: number;
            /** Digest */
            digest: string;
            /** Id */
            id: string;
            /**
             * Made At
             * Format: date-time
             */
            made_at: string;
            /** Month */
            month: string | null;
            /** Protocol */
            protocol: string;
            /** Reissued At */
            reissued_at: string | null;
            /** Revision */
            revision: number;
            /** Url */
            url: string;
        };
        /**
         * SpentOut
         * @description Of one kind: how many an attack uses, in the mean over repeats and at most, and may use.
         *
         *     ``nodes`` and ``edges`` are injected; ``ends`` are ends of edges at injected nodes, which the
         *     limit of edges per node counts; ``added`` and ``removed`` are edges of the graph.
         *     Of whole graphs they are those of all test graphs together, and ``values`` new ones of features.
         */
        SpentOut: {
            /** Allowed */
            allowed: number | null;
            /**
             * Kind
             * @enum {string}
             */
            kind: "nodes" | "edges" | "ends" | "added" | "removed" | "values";
            /** Mean */
            mean: number;
            /** Most */
            most: number;
        };
        /**
         * SplitCell
         * @description A model on a dataset, over all splits and initialisations; null where it has no run.
         */
        SplitCell: {
            /** Failures */
            failures?: number | null;
            /** High */
            high?: number | null;
            /** Low */
            low?: number | null;
            /** Mean */
            mean?: number | null;
            /** Median */
            median?: number | null;
            /** Published */
            published?: [
                number,
                number
            ] | null;
            /** Runs */
            runs: number;
            /** Std */
            std?: number | null;
        };
        /**
         * SplitFlip
         * @description Two splits of the same sizes with different winners.
         */
        SplitFlip: {
            /** Accuracies */
            accuracies: [
                {
                    [key: string]: number;
                },
                {
                    [key: string]: number;
                }
            ];
            /** Dataset */
            dataset: string;
            /** Leads */
            leads: [
                number,
                number
            ];
            /** Splits */
            splits: [
                number,
                number
            ];
            /** Winners */
            winners: [
                string,
                string
            ];
        };
        /**
         * SplitModel
         * @description A model over all datasets.
         */
        SplitModel: {
            /** Average Rank */
            average_rank: number | null;
            /** Configuration */
            configuration: {
                [key: string]: number;
            };
            /** Datasets */
            datasets: {
                [key: string]: components["schemas"]["SplitCell"];
            };
            /** Model */
            model: string;
            /** Relative Accuracy */
            relative_accuracy: number | null;
        };
        /**
         * SplitPair
         * @description Two models on one dataset, paired on its splits.
         */
        SplitPair: {
            /** Dataset */
            dataset: string;
            /** Difference */
            difference: number;
            /** First */
            first: string;
            /** P Value */
            p_value: number;
            /** Second */
            second: string;
            /** Splits */
            splits: number;
            /** Wins */
            wins: number;
        };
        /**
         * SplitResults
         * @description Models over many splits: results.json of ``grb study splits``.
         */
        SplitResults: {
            /** Flips */
            flips: components["schemas"]["SplitFlip"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "splits";
            /** Models */
            models: components["schemas"]["SplitModel"][];
            /** Pairs */
            pairs: components["schemas"]["SplitPair"][];
            study: components["schemas"]["SplitStudy"];
            /** Winners */
            winners: {
                [key: string]: {
                    [key: string]: number;
                };
            };
        };
        /**
         * SplitStudy
         * @description Which runs were made.
         */
        SplitStudy: {
            /** Datasets */
            datasets: string[];
            /** Inits */
            inits: number;
            /** Models */
            models: string[];
            /**
             * Scheme
             * @enum {string}
             */
            scheme: "per-class" | "grb";
            /** Seed */
            seed: number;
            /** Splits */
            splits: number;
        };
        /**
         * StatusOut
         * @description What the service does at the moment.
         */
        StatusOut: {
            /** Alive */
            alive: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Boards */
            boards: components["schemas"]["BoardPaceOut"][];
            cells: components["schemas"]["QueueOut"];
            /** Failures */
            failures: components["schemas"]["FailureOut"][];
            /** Takers */
            takers: {
                [key: string]: number;
            };
            /** Unserved */
            unserved: components["schemas"]["UnservedOut"][];
            validations: components["schemas"]["QueueOut"];
            /** Workers */
            workers: components["schemas"]["WorkerOut"][];
        };
        /**
         * StudyFile
         * @description A file of a study, and where it is.
         */
        StudyFile: {
            /** Name */
            name: string;
            /** Url */
            url: string;
        };
        /**
         * StudyOut
         * @description A study with its numbers.
         */
        StudyOut: {
            /** Files */
            files: components["schemas"]["StudyFile"][];
            /**
             * Kind
             * @enum {string}
             */
            kind: "splits" | "robustness" | "expressive";
            /** Name */
            name: string;
            /** Of */
            of: string[];
            /** Page */
            page: string;
            /**
             * Published At
             * Format: date-time
             */
            published_at: string;
            /** Results */
            results: components["schemas"]["SplitResults"] | components["schemas"]["RobustnessResults"] | components["schemas"]["ExpressiveResults"];
            /** Title */
            title: string;
        };
        /**
         * StudySummary
         * @description A study in the list: ``of`` is the board of a study of robustness, the datasets of others.
         */
        StudySummary: {
            /** Files */
            files: components["schemas"]["StudyFile"][];
            /**
             * Kind
             * @enum {string}
             */
            kind: "splits" | "robustness" | "expressive";
            /** Name */
            name: string;
            /** Of */
            of: string[];
            /** Page */
            page: string;
            /**
             * Published At
             * Format: date-time
             */
            published_at: string;
            /** Title */
            title: string;
        };
        /**
         * SubmissionChanges
         * @description What may be changed of a submission, each as on its upload; what is left out stays.
         *
         *     A blank optional field is emptied.  Everything else, such as the family or the side, follows
         *     from the file or is fixed with it: another file is another submission.
         */
        SubmissionChanges: {
            /** Authors */
            authors?: string;
            /** Code Url */
            code_url?: string | null;
            /**
             * Description
             * @default
             */
            description: string;
            /** Name */
            name?: string;
            /** Paper Url */
            paper_url?: string | null;
            /** Public At */
            public_at?: string | null;
            /** Team */
            team?: string | null;
            /**
             * Visibility
             * @default public
             * @enum {string}
             */
            visibility: "public" | "embargoed" | "private";
        };
        /**
         * SubmissionList
         * @description A page of submissions, newest first; ``next`` is the cursor of the next page.
         */
        SubmissionList: {
            /** Next */
            next: string | null;
            /** Submissions */
            submissions: components["schemas"]["SubmissionSummary"][];
        };
        /**
         * SubmissionMeasuresOut
         * @description Scores of an entry's cells beside accuracy.
         *
         *     ``cells`` are those that are done: without attack, and against the counterparts of the view.
         *     ``unknown`` counts those of them of which nothing is kept by class.
         */
        SubmissionMeasuresOut: {
            /** Cells */
            cells: components["schemas"]["MeasuredCell"][];
            /** Submission */
            submission: string;
            /** Unknown */
            unknown: number;
            /**
             * View
             * @enum {string}
             */
            view: "reference" | "all";
        };
        /**
         * SubmissionOut
         * @description Everything public about a submission.
         */
        SubmissionOut: {
            /** Adversarially Trained */
            adversarially_trained: boolean;
            /** Architecture */
            architecture: string | null;
            /** Artefact Url */
            artefact_url: string;
            /** Attempt */
            attempt: number;
            /** Attempts */
            attempts: number;
            /** Authors */
            authors: string;
            /** Board */
            board: string;
            /** Budget */
            budget: {
                [key: string]: components["schemas"]["BudgetOut"];
            } | null;
            /** Bytes */
            bytes: number;
            /** Canonical */
            canonical: string | null;
            cells: components["schemas"]["CellCounts"];
            /** Code Url */
            code_url: string | null;
            /** Counterparts */
            counterparts: components["schemas"]["MatrixEntry"][];
            /** Deleted */
            deleted: boolean;
            /** Description */
            description: string;
            /** Description Html */
            description_html: string;
            /** Difficulties */
            difficulties: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean")[];
            /** Edited At */
            edited_at: string | null;
            evaluation: components["schemas"]["TimeOut"] | null;
            /** Family */
            family: string;
            /** Features */
            features: string | null;
            /** Flags */
            flags: components["schemas"]["FlagOut"][];
            /** Hidden */
            hidden: boolean;
            /** Id */
            id: string;
            /** Is Reference */
            is_reference: boolean;
            /** Log */
            log: string | null;
            /** Marked */
            marked: {
                [key: string]: string;
            };
            /**
             * Metric
             * @enum {string}
             */
            metric: "accuracy" | "error";
            /** Name */
            name: string;
            /** Paper Url */
            paper_url: string | null;
            /** Parameters */
            parameters: {
                [key: string]: unknown;
            } | null;
            place: components["schemas"]["PlaceOut"] | null;
            /** Public At */
            public_at: string | null;
            /** Published At */
            published_at: string | null;
            /** Rank */
            rank: number | null;
            /** Reason */
            reason: string | null;
            /**
             * Received At
             * Format: date-time
             */
            received_at: string;
            /** Registered At */
            registered_at: string | null;
            /** Repeats */
            repeats: number | null;
            /** Results */
            results: components["schemas"]["MatrixCell"][];
            /** Sha256 */
            sha256: string | null;
            /**
             * Side
             * @enum {string}
             */
            side: "attack" | "defense";
            /**
             * State
             * @enum {string}
             */
            state: "received" | "validating" | "rejected" | "evaluating" | "ranked" | "failed";
            /** Submitter */
            submitter: string;
            /** Surrogate */
            surrogate: string | null;
            /** Team */
            team: string | null;
            /** Url */
            url: string;
            /** Validated At */
            validated_at: string | null;
            /** Violations */
            violations: components["schemas"]["ViolationOut"][];
            /**
             * Visibility
             * @enum {string}
             */
            visibility: "public" | "embargoed" | "private";
            /** Withdrawn */
            withdrawn: boolean;
            /** Yours */
            yours: boolean;
        };
        /**
         * SubmissionScoreOut
         * @description What an entry's score is made of, at one difficulty and in one view.
         *
         *     ``rank``, ``metrics`` and ``parts`` are null or empty where the entry has no score there.
         */
        SubmissionScoreOut: {
            /**
             * Difficulty
             * @enum {string}
             */
            difficulty: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            metrics: components["schemas"]["MetricsOut"] | null;
            /** Parts */
            parts: components["schemas"]["ScorePart"][];
            provenance: components["schemas"]["ScoreProvenance"] | null;
            /** Rank */
            rank: number | null;
            /** Repeats */
            repeats: number;
            /** Submission */
            submission: string;
            /**
             * View
             * @enum {string}
             */
            view: "reference" | "all";
        };
        /**
         * SubmissionSummary
         * @description One line of the list of submissions.
         */
        SubmissionSummary: {
            /** Attempt */
            attempt: number;
            /** Authors */
            authors: string;
            /** Board */
            board: string;
            cells: components["schemas"]["CellCounts"];
            /** Deleted */
            deleted: boolean;
            /** Family */
            family: string;
            /** Hidden */
            hidden: boolean;
            /** Id */
            id: string;
            /** Is Reference */
            is_reference: boolean;
            /** Name */
            name: string;
            /** Public At */
            public_at: string | null;
            /**
             * Received At
             * Format: date-time
             */
            received_at: string;
            /**
             * Side
             * @enum {string}
             */
            side: "attack" | "defense";
            /**
             * State
             * @enum {string}
             */
            state: "received" | "validating" | "rejected" | "evaluating" | "ranked" | "failed";
            /** Url */
            url: string;
            /**
             * Visibility
             * @enum {string}
             */
            visibility: "public" | "embargoed" | "private";
            /** Withdrawn */
            withdrawn: boolean;
        };
        /**
         * TableCell
         * @description One attack against one defense at one difficulty; ``id`` is the cell's.
         */
        TableCell: {
            /** Defense */
            defense: string;
            /** Id */
            id: string;
            value: components["schemas"]["ValueOut"];
        };
        /**
         * TableEntry
         * @description A row or column of the table; ``family`` is empty for the clean row.
         */
        TableEntry: {
            /** Family */
            family: string;
            /** Id */
            id: string;
            /** Is Reference */
            is_reference: boolean;
            /** Name */
            name: string;
            /** Rank */
            rank: number | null;
            /**
             * State
             * @enum {string}
             */
            state: "received" | "validating" | "rejected" | "evaluating" | "ranked" | "failed";
            /**
             * Visibility
             * @enum {string}
             */
            visibility: "public" | "embargoed" | "private";
        };
        /**
         * TableFoot
         * @description A metric of every chosen defense at a difficulty, over ``n`` rows, the clean one included.
         *
         *     ``values`` are by the defense's id; those that lack a cell are not there.
         */
        TableFoot: {
            /**
             * Difficulty
             * @enum {string}
             */
            difficulty: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            /**
             * Metric
             * @enum {string}
             */
            metric: "weighted" | "average" | "three";
            /** N */
            n: number;
            /** Values */
            values: {
                [key: string]: components["schemas"]["ValueOut"];
            };
        };
        /**
         * TableOut
         * @description The paper's table over a choice: rows attack x difficulty, columns defenses, and metrics.
         *
         *     ``preset`` names the choice where it has a name.  ``official_attacks`` says that the metrics of
         *     attacks are those of the board's reference ranking, since the chosen defenses are its
         *     references; ``official_defenses`` likewise.  Otherwise they hold for this choice only.
         *     ``missing`` are chosen ids that are no ranked entries of this board.
         */
        TableOut: {
            /** Attacks */
            attacks: components["schemas"]["TableEntry"][];
            /** Available Attacks */
            available_attacks: components["schemas"]["TableEntry"][];
            /** Available Defenses */
            available_defenses: components["schemas"]["TableEntry"][];
            /** Base */
            base: string | null;
            /** Board */
            board: string;
            /** Columns */
            columns: number;
            /** Defenses */
            defenses: components["schemas"]["TableEntry"][];
            /** Difficulties */
            difficulties: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean")[];
            /** Foot */
            foot: components["schemas"]["TableFoot"][];
            /** Missing */
            missing: string[];
            /** Official Attacks */
            official_attacks: boolean;
            /** Official Defenses */
            official_defenses: boolean;
            /** Preset */
            preset: ("brief" | "main" | "complete" | "no-defenses") | null;
            /** Repeats */
            repeats: number;
            /** Revision */
            revision: number;
            /** Rows */
            rows: components["schemas"]["TableRow"][];
            /** Total Attacks */
            total_attacks: number;
            /** Total Defenses */
            total_defenses: number;
        };
        /**
         * TableRow
         * @description An attack at a difficulty: its cells, and its metrics over the chosen defenses.
         *
         *     ``metrics`` is empty where a cell is missing.
         */
        TableRow: {
            /** Attack */
            attack: string;
            /** Cells */
            cells: components["schemas"]["TableCell"][];
            /**
             * Difficulty
             * @enum {string}
             */
            difficulty: "easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean";
            /** Metrics */
            metrics: {
                [key: string]: components["schemas"]["ValueOut"];
            };
        };
        /**
         * TestList
         * @description How the test of each channel went.
         */
        TestList: {
            /** Results */
            results: components["schemas"]["TestOut"][];
        };
        /**
         * TestOut
         * @description How the test of one channel went.
         */
        TestOut: {
            /** Answer */
            answer: string;
            /**
             * Channel
             * @enum {string}
             */
            channel: "webhook" | "mail";
            /** Delivered */
            delivered: boolean;
        };
        /**
         * TextOut
         * @description One document as HTML, made from the repository's Markdown, without its title.
         */
        TextOut: {
            /** Html */
            html: string;
            /** Name */
            name: string;
            /** Part */
            part: string;
            /** Title */
            title: string;
        };
        /**
         * TextSummary
         * @description One document: its name in the address, its title, and the part of the list it is in.
         */
        TextSummary: {
            /** Name */
            name: string;
            /** Part */
            part: string;
            /** Title */
            title: string;
        };
        /**
         * TimeOut
         * @description Seconds that an entry's cells took, all that are done together and one on average.
         */
        TimeOut: {
            /** Cells */
            cells: number;
            /** Mean */
            mean: number;
            /** Total */
            total: number;
        };
        /**
         * TokenIn
         * @description A new token.
         */
        TokenIn: {
            /**
             * Expires In Days
             * @description Null: it does not run out
             */
            expires_in_days?: number | null;
            /**
             * Name
             * @example laptop
             */
            name: string;
            /** Scopes */
            scopes: ("read" | "submit" | "manage" | "admin")[];
        };
        /**
         * TokenList
         * @description A user's tokens, the newest first.
         */
        TokenList: {
            /** Tokens */
            tokens: components["schemas"]["TokenOut"][];
        };
        /**
         * TokenMade
         * @description A new token in clear; it can't be read again.
         */
        TokenMade: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Expires At */
            expires_at: string | null;
            /** Id */
            id: string;
            /** Last Used At */
            last_used_at: string | null;
            /** Name */
            name: string;
            /** Scopes */
            scopes: ("read" | "submit" | "manage" | "admin")[];
            /** Token */
            token: string;
        };
        /**
         * TokenOut
         * @description A token, without what it is in clear.
         */
        TokenOut: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Expires At */
            expires_at: string | null;
            /** Id */
            id: string;
            /** Last Used At */
            last_used_at: string | null;
            /** Name */
            name: string;
            /** Scopes */
            scopes: ("read" | "submit" | "manage" | "admin")[];
        };
        /**
         * UnmeasuredOut
         * @description A cell without a new result: it failed by the fault of ``blamed``, or it is dead.
         */
        UnmeasuredOut: {
            attack: components["schemas"]["MatrixEntry"];
            blamed: components["schemas"]["MatrixEntry"] | null;
            /** Cell */
            cell: string;
            /** Code */
            code: string | null;
            defense: components["schemas"]["MatrixEntry"];
            /** Reason */
            reason: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "failed" | "dead";
        };
        /**
         * UnservedOut
         * @description Work for boards of a need that no living worker takes.
         */
        UnservedOut: {
            /** Cells */
            cells: number;
            /**
             * Need
             * @enum {string}
             */
            need: "cpu" | "gpu" | "gpu-large";
            /** Validations */
            validations: number;
        };
        /**
         * UploadList
         * @description A user's own uploads, newest first.
         */
        UploadList: {
            /** Uploads */
            uploads: components["schemas"]["UploadOut"][];
        };
        /**
         * UploadOut
         * @description A file that arrives in parts.
         *
         *     ``open``: bytes are missing, or it waits to be taken in; ``done``: it is the submission;
         *     ``refused``: ``violations`` tell why.
         */
        UploadOut: {
            /** Arrived */
            arrived: number;
            /** Board */
            board: string;
            /** Bytes */
            bytes: number;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /** Id */
            id: string;
            /** Location */
            location: string;
            /** Name */
            name: string;
            /** Reason */
            reason: string | null;
            /** Sha256 */
            sha256: string | null;
            /**
             * Side
             * @enum {string}
             */
            side: "attack" | "defense";
            /**
             * State
             * @enum {string}
             */
            state: "open" | "done" | "refused";
            /** Submission */
            submission: string | null;
            /** Violations */
            violations: components["schemas"]["ViolationOut"][];
        };
        /**
         * UsedOut
         * @description How much of a limit is used; ``limit`` and ``left`` are null where there is none.
         */
        UsedOut: {
            /** Left */
            left: number | null;
            /** Limit */
            limit: number | null;
            /** Used */
            used: number;
        };
        /**
         * UserList
         * @description A page of users, newest first; ``next`` is the cursor of the next page.
         */
        UserList: {
            /** Next */
            next: string | null;
            /** Users */
            users: components["schemas"]["UserOut"][];
        };
        /**
         * UserOut
         * @description A user: how they sign in, and what they have uploaded.
         */
        UserOut: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Email */
            email: string | null;
            /** Email Confirmed */
            email_confirmed: boolean;
            /** Entries */
            entries: number;
            /** Has Password */
            has_password: boolean;
            /** Id */
            id: string;
            /** Last Upload At */
            last_upload_at: string | null;
            /** Name */
            name: string;
            quota: components["schemas"]["QuotaOut"];
            /** Quota Bytes */
            quota_bytes: number | null;
            /** Quota Per Day */
            quota_per_day: number | null;
            /** Quota Reset At */
            quota_reset_at: string | null;
            /**
             * Role
             * @enum {string}
             */
            role: "user" | "admin";
            /** Suspended At */
            suspended_at: string | null;
        };
        /**
         * ValueOut
         * @description A number of the table, as a fraction, with its population standard deviation over repeats.
         *
         *     ``difference`` and ``relative`` are its distance from the base's number, absolute and as a part
         *     of it, in each repeat first; null without a base.  ``best_attack`` marks the lowest of the
         *     chosen attacks (the paper's red), ``best_defense`` the highest of the chosen defenses (blue).
         */
        ValueOut: {
            /** Best Attack */
            best_attack: boolean;
            /** Best Defense */
            best_defense: boolean;
            difference: components["schemas"]["ScoreOut"] | null;
            /** Mean */
            mean: number;
            relative: components["schemas"]["ScoreOut"] | null;
            /** Std */
            std: number | null;
        };
        /**
         * Variance
         * @description Variances of a draw by source; with one repeat its own is part of the split's.
         */
        Variance: {
            /** Repeat */
            repeat: number | null;
            /** Rest */
            rest: number | null;
            /** Split */
            split: number;
            /** Total */
            total: number;
            /** Training */
            training: number;
        };
        /**
         * VersionsOut
         * @description The versions that this service defines, and those of every board.
         */
        VersionsOut: {
            /** Boards */
            boards: components["schemas"]["BoardVersions"][];
            /** Evaluator */
            evaluator: number;
            /** Metric */
            metric: number;
            /** Service */
            service: string;
        };
        /**
         * ViolationOut
         * @description One fault of a file.
         */
        ViolationOut: {
            /** Allowed */
            allowed: string;
            /** Code */
            code: string;
            /** Found */
            found: string;
            /** Place */
            place: string;
        };
        /**
         * WhoAmI
         * @description Who makes a request, and what the token or session may do.
         */
        WhoAmI: {
            /** Name */
            name: string;
            /**
             * Role
             * @enum {string}
             */
            role: "user" | "admin";
            /** Scopes */
            scopes: ("read" | "submit" | "manage" | "admin")[];
        };
        /**
         * Why
         * @description The reason of what an admin does, kept in the audit log.
         */
        Why: {
            /** Reason */
            reason: string;
        };
        /**
         * WorkerOut
         * @description A worker: alive if it was heard of within 45 s, lost if it should be there and is not.
         */
        WorkerOut: {
            /** Avoided */
            avoided: {
                [key: string]: string;
            };
            /** Device */
            device: string;
            /**
             * Heartbeat At
             * Format: date-time
             */
            heartbeat_at: string;
            /** Host */
            host: string;
            /** Id */
            id: string;
            /** Pid */
            pid: number;
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
            /**
             * State
             * @enum {string}
             */
            state: "alive" | "lost" | "stopped";
            /** Stopped At */
            stopped_at: string | null;
            /** Takes */
            takes: ("cpu" | "gpu" | "gpu-large")[];
            /** Versions */
            versions: {
                [key: string]: string;
            };
            work: components["schemas"]["WorkOut"] | null;
        };
        /**
         * WorkOut
         * @description What a worker does now: check a file, or compute cells of a newcomer.
         */
        WorkOut: {
            /** Board */
            board: string;
            /** Cells */
            cells: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "validation" | "cells";
            /** Name */
            name: string | null;
            /** Submission */
            submission: string | null;
        };
        /**
         * WorstOut
         * @description The counterpart that is worst for an entry by its mean; ``id`` is `clean` for no attack.
         */
        WorstOut: {
            /** Id */
            id: string;
            /** Name */
            name: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_audit: {
        parameters: {
            query?: {
                /** @description The beginning of an action: submission. */
                action?: string | null;
                /** @description `next` of the page before */
                cursor?: string | null;
                limit?: number;
                subject_id?: string | null;
                subject_kind?: string | null;
                /** @description The id of who did it */
                user?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditList"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_board_versions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionsOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_snapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    decide_duplicates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_entries: {
        parameters: {
            query?: {
                board?: string | null;
                /** @description `next` of the page before */
                cursor?: string | null;
                limit?: number;
                mark?: ("reference" | "withdrawn" | "hidden" | "deleted") | null;
                /** @description A part of the name */
                name?: string | null;
                side?: ("attack" | "defense") | null;
                state?: ("received" | "validating" | "rejected" | "evaluating" | "ranked" | "failed") | null;
                /** @description The id of a user */
                user?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnyEntryList"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_reevaluations: {
        parameters: {
            query?: {
                board?: string | null;
                /** @description `next` of the page before */
                cursor?: string | null;
                limit?: number;
                state?: ("proposed" | "running" | "ready" | "applied" | "cancelled") | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReevaluationList"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_reevaluation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReevaluationRequest"];
            };
        };
        responses: {
            /** @description The plan, where it is only a dry run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanOut"];
                };
            };
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReevaluationOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_reevaluation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReevaluationOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    apply_reevaluation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Apply"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReevaluationOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancel_reevaluation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReevaluationOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    preview_reevaluation: {
        parameters: {
            query?: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
                /** @description Scores over the references, or over every registered counterpart */
                view?: "reference" | "all";
            };
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    requeue_reevaluation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequeuedOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    start_reevaluation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReevaluationOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_seasons: {
        parameters: {
            query?: {
                board?: string | null;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminSeasonsOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    propose_season: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SeasonRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminSeasonOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    accept_season: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                season_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminSeasonOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    refuse_season: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                season_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminSeasonOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_failed_uploads: {
        parameters: {
            query?: {
                board?: string | null;
                /** @description `next` of the page before */
                cursor?: string | null;
                limit?: number;
                /** @description The id of a user */
                user?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailedUploadList"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_users: {
        parameters: {
            query?: {
                /** @description `next` of the page before */
                cursor?: string | null;
                limit?: number;
                /** @description A part of the name */
                name?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserList"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_quota: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuotaChange"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_role: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleChange"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    suspend_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unsuspend_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_auth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    begin_at_provider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProviderAsked"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderGoTo"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ask_reset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetAsked"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    finish_reset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetDone"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sign_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sign_out: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sign_up: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUp"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedUp"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_boards: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardSummary"][];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_board: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BoardOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_arena: {
        parameters: {
            query?: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
                /** @description Which side is ranked */
                side?: "attack" | "defense";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArenaOut"];
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_arena_file: {
        parameters: {
            query?: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
                /** @description Which side is ranked */
                side?: "attack" | "defense";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, in UTF-8; texts are quoted, and none begins like a formula */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_arena_print: {
        parameters: {
            query?: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
                /** @description Which side is ranked */
                side?: "attack" | "defense";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A tabular with the rules of booktabs; every text is escaped */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tex; charset=utf-8": string;
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_charts: {
        parameters: {
            query?: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
                /** @description Scores over the references, or over every registered counterpart */
                view?: "reference" | "all";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChartsOut"];
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_citation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CitationOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_comparison: {
        parameters: {
            query: {
                /** @description Ids of one to five entries of one side with commas between */
                ids: string;
                /** @description Scores over the references, or over every registered counterpart */
                view?: "reference" | "all";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComparisonOut"];
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_comparison_file: {
        parameters: {
            query: {
                /** @description Ids of one to five entries of one side with commas between */
                ids: string;
                /** @description Scores over the references, or over every registered counterpart */
                view?: "reference" | "all";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, in UTF-8; texts are quoted, and none begins like a formula */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": string;
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_comparison_print: {
        parameters: {
            query: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
                /** @description Ids of one to five entries of one side with commas between */
                ids: string;
                /** @description Scores over the references, or over every registered counterpart */
                view?: "reference" | "all";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A tabular with the rules of booktabs; every text is escaped */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tex; charset=utf-8": string;
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_comparison_degrees: {
        parameters: {
            query: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
                /** @description Ids of one to five entries of one side with commas between */
                ids: string;
                /** @description Scores over the references, or over every registered counterpart */
                view?: "reference" | "all";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComparedDegreesOut"];
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_degrees_file: {
        parameters: {
            query: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
                /** @description Ids of one to five entries of one side with commas between */
                ids: string;
                /** @description Scores over the references, or over every registered counterpart */
                view?: "reference" | "all";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description A table for spreadsheets, or for LaTeX */
                form: "csv" | "tex";
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file; every text in it is escaped */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tex; charset=utf-8": string;
                    "text/csv; charset=utf-8": string;
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_comparison_differences: {
        parameters: {
            query: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
                /** @description Ids of one to five entries of one side with commas between */
                ids: string;
                /** @description Scores over the references, or over every registered counterpart */
                view?: "reference" | "all";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComparedDifferencesOut"];
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_wins_file: {
        parameters: {
            query: {
                /** @description Ids of one to five entries of one side with commas between */
                ids: string;
                /** @description Scores over the references, or over every registered counterpart */
                view?: "reference" | "all";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description A table for spreadsheets, or for LaTeX */
                form: "csv" | "tex";
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file; every text in it is escaped */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tex; charset=utf-8": string;
                    "text/csv; charset=utf-8": string;
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_feed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_history: {
        parameters: {
            query?: {
                /** @description `next` of the page before */
                cursor?: string | null;
                limit?: number;
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_leaderboard: {
        parameters: {
            query?: {
                /** @description Only the first of each submitter's, or team's, entries of a family */
                best?: "all" | "submitter" | "team";
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
                /** @description Only entries with this flag; their ranks stay those among all */
                flag?: string | null;
                /** @description What ranks: `three` is Avg 3-Min of defenses and Avg 3-Max of attacks */
                metric?: "weighted" | "average" | "three" | "worst";
                /** @description With what only you see: your private entries, and those under an embargo */
                mine?: boolean;
                /** @description The first entry; 0 is the first of the ranking */
                row?: number;
                /** @description At most so many entries */
                rows?: number;
                /** @description Which side is ranked */
                side?: "attack" | "defense";
                /** @description Scores over the references, or over every registered counterpart */
                view?: "reference" | "all";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeaderboardOut"];
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_leaderboard_file: {
        parameters: {
            query?: {
                /** @description Only the first of each submitter's, or team's, entries of a family */
                best?: "all" | "submitter" | "team";
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
                /** @description Only entries with this flag; their ranks stay those among all */
                flag?: string | null;
                /** @description What ranks: `three` is Avg 3-Min of defenses and Avg 3-Max of attacks */
                metric?: "weighted" | "average" | "three" | "worst";
                /** @description Which side is ranked */
                side?: "attack" | "defense";
                /** @description Scores over the references, or over every registered counterpart */
                view?: "reference" | "all";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, in UTF-8; texts are quoted, and none begins like a formula */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_leaderboard_print: {
        parameters: {
            query?: {
                /** @description Only the first of each submitter's, or team's, entries of a family */
                best?: "all" | "submitter" | "team";
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
                /** @description Only entries with this flag; their ranks stay those among all */
                flag?: string | null;
                /** @description What ranks: `three` is Avg 3-Min of defenses and Avg 3-Max of attacks */
                metric?: "weighted" | "average" | "three" | "worst";
                /** @description Which side is ranked */
                side?: "attack" | "defense";
                /** @description Scores over the references, or over every registered counterpart */
                view?: "reference" | "all";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A tabular with the rules of booktabs; every text is escaped */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tex; charset=utf-8": string;
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_matrix: {
        parameters: {
            query?: {
                /** @description The first defense; 0 is the best */
                column?: number;
                /** @description At most so many defenses */
                columns?: number;
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
                /** @description With what only you see: your private entries, and those under an embargo */
                mine?: boolean;
                /** @description The first entry; 0 is the first of the ranking */
                row?: number;
                /** @description At most so many attacks */
                rows?: number;
                /** @description Scores over the references, or over every registered counterpart */
                view?: "reference" | "all";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatrixOut"];
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_matrix_file: {
        parameters: {
            query?: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
                /** @description Scores over the references, or over every registered counterpart */
                view?: "reference" | "all";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, in UTF-8; texts are quoted, and none begins like a formula */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_matrix_print: {
        parameters: {
            query?: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
                /** @description Scores over the references, or over every registered counterpart */
                view?: "reference" | "all";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A tabular with the rules of booktabs; every text is escaped */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tex; charset=utf-8": string;
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_matrix_grid: {
        parameters: {
            query?: {
                /** @description The first defense; 0 is the best */
                column?: number;
                /** @description At most so many defenses */
                columns?: number;
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
                /** @description The first entry; 0 is the first of the ranking */
                row?: number;
                /** @description At most so many attacks */
                rows?: number;
                /** @description Scores over the references, or over every registered counterpart */
                view?: "reference" | "all";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GridOut"];
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_board_picture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_rules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulesOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_seasons: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeasonsOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_season: {
        parameters: {
            query?: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
            };
            header?: never;
            path: {
                dataset: string;
                number: number;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeasonRankingOut"];
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_season_file: {
        parameters: {
            query?: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
            };
            header?: never;
            path: {
                dataset: string;
                /** @description A table for spreadsheets, or for LaTeX */
                form: "csv" | "tex";
                number: number;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file; every text in it is escaped */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tex; charset=utf-8": string;
                    "text/csv; charset=utf-8": string;
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_snapshots: {
        parameters: {
            query?: {
                /** @description `next` of the page before */
                cursor?: string | null;
                limit?: number;
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotList"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_table: {
        parameters: {
            query?: {
                /** @description Ids of attacks with commas between, at most 100 */
                attacks?: string | null;
                /** @description The attack, `clean`, or the defense that differences are taken from */
                base?: string | null;
                /** @description Ids of defenses with commas between, at most 100 */
                defenses?: string | null;
                /** @description Difficulties of the board with commas between, its `ranked` among them */
                difficulties?: string | null;
                /** @description A choice with a name; `main` is the paper's */
                preset?: "brief" | "main" | "complete" | "no-defenses";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TableOut"];
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_table_file: {
        parameters: {
            query?: {
                /** @description Ids of attacks with commas between, at most 100 */
                attacks?: string | null;
                /** @description The attack, `clean`, or the defense that differences are taken from */
                base?: string | null;
                /** @description Ids of defenses with commas between, at most 100 */
                defenses?: string | null;
                /** @description Difficulties of the board with commas between, its `ranked` among them */
                difficulties?: string | null;
                /** @description A choice with a name; `main` is the paper's */
                preset?: "brief" | "main" | "complete" | "no-defenses";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, in UTF-8; texts are quoted, and none begins like a formula */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": string;
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_table_print: {
        parameters: {
            query?: {
                /** @description Ids of attacks with commas between, at most 100 */
                attacks?: string | null;
                /** @description The attack, `clean`, or the defense that differences are taken from */
                base?: string | null;
                /** @description Ids of defenses with commas between, at most 100 */
                defenses?: string | null;
                /** @description Difficulties of the board with commas between, its `ranked` among them */
                difficulties?: string | null;
                /** @description A choice with a name; `main` is the paper's */
                preset?: "brief" | "main" | "complete" | "no-defenses";
            };
            header?: never;
            path: {
                dataset: string;
                /** @description With its version, or without for the newest */
                scenario: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A tabular with the rules of booktabs; every text is escaped */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tex; charset=utf-8": string;
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_cell: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                cell_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CellOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_breakdown: {
        parameters: {
            query?: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
            };
            header?: never;
            path: {
                cell_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BreakdownOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_breakdown_file: {
        parameters: {
            query?: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
            };
            header?: never;
            path: {
                cell_id: string;
                /** @description A table for spreadsheets, or for LaTeX */
                form: "csv" | "tex";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file; every text in it is escaped */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tex; charset=utf-8": string;
                    "text/csv; charset=utf-8": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_confusion: {
        parameters: {
            query?: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
            };
            header?: never;
            path: {
                cell_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfusionOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_confusion_file: {
        parameters: {
            query?: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
            };
            header?: never;
            path: {
                cell_id: string;
                /** @description A table for spreadsheets, or for LaTeX */
                form: "csv" | "tex";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file; every text in it is escaped */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tex; charset=utf-8": string;
                    "text/csv; charset=utf-8": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    requeue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                cell_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CellOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_cell_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                cell_id: string;
                /** @description A table for spreadsheets, or for LaTeX */
                form: "csv" | "tex";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file; every text in it is escaped */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tex; charset=utf-8": string;
                    "text/csv; charset=utf-8": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_texts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TextSummary"][];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_text: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As in the list */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TextOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_account: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountDeletion"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    export_account: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_identities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityList"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unlink_identity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                identity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_notices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoticeList"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_notifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationsIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationsSet"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    end_notifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationsOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    test_notifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestList"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_quota: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuotaOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    end_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ended"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    end_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_tokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenList"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    make_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenMade"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revoke_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description `missing` names what is not there */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    get_reference: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferenceOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_snapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                snapshot_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_snapshot_citation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                snapshot_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An entry for BibTeX */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-bibtex; charset=utf-8": unknown;
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_snapshot_file: {
        parameters: {
            query?: {
                /** @description Only these bytes, or none */
                sha256?: string | null;
            };
            header?: never;
            path: {
                /** @description Which of its files */
                file: "snapshot.json" | "rankings.json" | "rankings.csv" | "cells.csv" | "rankings.tex";
                snapshot_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-tex": string;
                    "text/csv": string;
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_studies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StudySummary"][];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_study: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As in the list */
                study: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StudyOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_study_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As the study lists them */
                file: string;
                /** @description As in the list */
                study: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "application/x-tex; charset=utf-8": string;
                    "image/svg+xml": string;
                    "text/csv; charset=utf-8": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_submissions: {
        parameters: {
            query?: {
                board?: string | null;
                /** @description `next` of the page before */
                cursor?: string | null;
                limit?: number;
                /** @description Only what you have submitted */
                mine?: boolean;
                side?: ("attack" | "defense") | null;
                state?: ("received" | "validating" | "rejected" | "evaluating" | "ranked" | "failed") | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionList"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    submit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Adversarially Trained
                     * @default false
                     */
                    adversarially_trained?: boolean;
                    /** Authors */
                    authors: string;
                    /** @example digits/injection@1 */
                    board: string;
                    /** Code Url */
                    code_url?: string | null;
                    /**
                     * Description
                     * @default
                     */
                    description?: string;
                    /** Family */
                    family?: string | null;
                    /**
                     * Format: binary
                     * @description .npz or .safetensors
                     */
                    file: string;
                    /** Name */
                    name: string;
                    /** Paper Url */
                    paper_url?: string | null;
                    /** Public At */
                    public_at?: string | null;
                    /** @enum {string} */
                    side: "attack" | "defense";
                    /** Surrogate */
                    surrogate?: string | null;
                    /** Team */
                    team?: string | null;
                    /**
                     * Visibility
                     * @default public
                     * @enum {string}
                     */
                    visibility?: "public" | "embargoed" | "private";
                };
            };
        };
        responses: {
            /** @description The same bytes were submitted before: the submission that they are */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionOut"];
                };
            };
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_submission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete: {
        parameters: {
            query?: {
                /** @description For the audit log; needed where the entry is another user's */
                reason?: string | null;
            };
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    edit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmissionChanges"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_artefact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description The file of the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_badge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_entry_breakdown: {
        parameters: {
            query?: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
            };
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntryBreakdownOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_entry_breakdown_file: {
        parameters: {
            query?: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
            };
            header?: never;
            path: {
                /** @description A table for spreadsheets, or for LaTeX */
                form: "csv" | "tex";
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file; every text in it is escaped */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tex; charset=utf-8": string;
                    "text/csv; charset=utf-8": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    follow_submission: {
        parameters: {
            query?: never;
            header?: {
                "last-event-id"?: string | null;
            };
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `progress` now and whenever something changes; `end` once nothing can change any more. The data of both is JSON of this shape. Comments in between say that the stream is there. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        cells: components["schemas"]["CellCounts"];
                        /** Deleted */
                        deleted: boolean;
                        /** Hidden */
                        hidden: boolean;
                        place: components["schemas"]["PlaceOut"] | null;
                        /** Reason */
                        reason: string | null;
                        /**
                         * State
                         * @enum {string}
                         */
                        state: "received" | "validating" | "rejected" | "evaluating" | "ranked" | "failed";
                        /** Withdrawn */
                        withdrawn: boolean;
                    };
                };
            };
            /** @description The client of this Last-Event-ID was told the end */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    dismiss_flag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                code: string;
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    restore_flag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                code: string;
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    hide: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_holdouts: {
        parameters: {
            query?: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
            };
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HoldoutsOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    ask_holdouts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HoldoutsOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_holdouts_file: {
        parameters: {
            query?: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
            };
            header?: never;
            path: {
                /** @description A table for spreadsheets, or for LaTeX */
                form: "csv" | "tex";
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file; every text in it is escaped */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tex; charset=utf-8": string;
                    "text/csv; charset=utf-8": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_measures: {
        parameters: {
            query?: {
                view?: "reference" | "all";
            };
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionMeasuresOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_submission_picture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description Nothing changed since the ETag in If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_results_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A table for spreadsheets, or for LaTeX */
                form: "csv" | "tex";
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file; every text in it is escaped */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tex; charset=utf-8": string;
                    "text/csv; charset=utf-8": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revalidate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_score: {
        parameters: {
            query?: {
                /** @description Which targets are attacked, or how much of each graph may change: one of the board's `difficulties`, or its `ranked`, which it is unless given */
                difficulty?: ("easy" | "medium" | "hard" | "full" | "1" | "2" | "3" | "4" | "5" | "mean") | null;
                view?: "reference" | "all";
            };
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionScoreOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    withdraw: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                submission_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_uploads: {
        parameters: {
            query?: {
                sha256?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadList"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Precondition Failed */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    begin_upload: {
        parameters: {
            query?: never;
            header: {
                "Upload-Length": number;
                /** @description The fields, in base64 */
                "Upload-Metadata"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Adversarially Trained
                     * @default false
                     */
                    adversarially_trained?: boolean;
                    /** Authors */
                    authors: string;
                    /** @example digits/injection@1 */
                    board: string;
                    /** Code Url */
                    code_url?: string | null;
                    /**
                     * Description
                     * @default
                     */
                    description?: string;
                    /** Family */
                    family?: string | null;
                    /** Name */
                    name: string;
                    /** Paper Url */
                    paper_url?: string | null;
                    /** Public At */
                    public_at?: string | null;
                    sha256?: string;
                    /** @enum {string} */
                    side: "attack" | "defense";
                    /** Surrogate */
                    surrogate?: string | null;
                    /** Team */
                    team?: string | null;
                    /**
                     * Visibility
                     * @default public
                     * @enum {string}
                     */
                    visibility?: "public" | "embargoed" | "private";
                };
            };
        };
        responses: {
            /** @description The same bytes were submitted before: the submission that they are */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionOut"];
                };
            };
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Precondition Failed */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    capabilities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    get_upload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Precondition Failed */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Locked */
            423: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    end_upload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Precondition Failed */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Locked */
            423: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    append: {
        parameters: {
            query?: never;
            header: {
                /** @description return=representation: see the submission at the end */
                prefer?: string | null;
                /** @description Of this body: sha256 <base64> */
                "Upload-Checksum"?: string | null;
                "Upload-Offset": number;
            };
            path: {
                upload_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description As 202, and the same bytes were submitted before */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionOut"];
                };
            };
            /** @description Those were the last bytes, and you `Prefer` to see */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionOut"];
                };
            };
            /** @description Arrived: `Upload-Offset`; after the last bytes also `Submission` */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Gone */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Precondition Failed */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Locked */
            423: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Checksum Mismatch */
            460: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Insufficient Storage */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_whoami: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhoAmI"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Header Fields Too Large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
