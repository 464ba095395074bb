export { grader } from '../../graders/tasks/approval-boundary.mjs';
