/** The API's words for this page; every shape comes from the generated schema. */
import type { components, paths } from "./schema";

type Schemas = components["schemas"];

export type BoardSummary = Schemas["BoardSummary"];
export type Board = Schemas["BoardOut"];
export type Preparation = Schemas["Preparation"];
export type Leaderboard = Schemas["LeaderboardOut"];
export type LeaderboardRow = Schemas["LeaderboardRow"];
export type Entry = Schemas["EntryOut"];
export type FlagKind = Schemas["FlagKindOut"];
export type Flag = Schemas["FlagOut"];
export type Score = Schemas["ScoreOut"];
export type Grid = Schemas["GridOut"];
export type MatrixEntry = Schemas["MatrixEntry"];
export type MatrixCell = Schemas["MatrixCell"];
export type SubmissionSummary = Schemas["SubmissionSummary"];
export type SubmissionList = Schemas["SubmissionList"];
export type Submission = Schemas["SubmissionOut"];
export type SubmissionScore = Schemas["SubmissionScoreOut"];
export type ScorePart = Schemas["ScorePart"];
export type SubmissionProgress =
  paths["/api/v1/submissions/{submission_id}/events"]["get"]["responses"]["200"]["content"]["text/event-stream"];
export type Cell = Schemas["CellOut"];
export type Breakdown = Schemas["BreakdownOut"];
export type BreakdownGroup = Schemas["GroupOut"];
export type BreakdownChange = Schemas["ChangeOut"];
export type Confusion = Schemas["ConfusionOut"];
export type Measures = Schemas["SubmissionMeasuresOut"];
export type Holdouts = Schemas["HoldoutsOut"];
export type Budget = Schemas["BudgetOut"];
export type Spent = Schemas["SpentOut"];
export type EarlierResult = Schemas["EarlierResult"];
export type History = Schemas["HistoryOut"];
export type Applied = Schemas["AppliedOut"];
export type Coming = Schemas["ComingOut"];
export type CellCounts = Schemas["CellCounts"];
export type Violation = Schemas["ViolationOut"];
export type Place = Schemas["PlaceOut"];
export type Status = Schemas["StatusOut"];
export type Queue = Schemas["QueueOut"];
export type Worker = Schemas["WorkerOut"];
export type Unserved = Schemas["UnservedOut"];
export type Failure = Schemas["FailureOut"];
export type BoardPace = Schemas["BoardPaceOut"];

export type BoardMetric = Board["metric"];
export type Side = Leaderboard["side"];
export type View = Leaderboard["view"];
export type Metric = Leaderboard["metric"];
export type Difficulty = Leaderboard["difficulty"];
export type BoardState = BoardSummary["state"];
export type SubmissionState = SubmissionSummary["state"];
export type CellState = MatrixCell["state"];
export type WorkerState = Worker["state"];
