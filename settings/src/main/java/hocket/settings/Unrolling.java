package hocket.settings;

import com.sun.source.tree.ArrayAccessTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.NewArrayTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.tree.YieldTree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.lang.model.element.Name;
import org.jspecify.annotations.Nullable;

/** Unrolls statements for given constants: {@link Registers} become variables, and loops over them are unrolled. */
final class Unrolling {
    private final String source;
    private final CompilationUnitTree file;
    private final SourcePositions positions;
    private final Set<Name> registers = new HashSet<>();

    Unrolling(String source, CompilationUnitTree file, SourcePositions positions) {
        this.source = source;
        this.file = file;
        this.positions = positions;
    }

    /** Returns the source of a tree with constants replaced by their values. */
    String text(Tree tree, Map<String, String> constants) {
        Edits edits = new Edits(constants);
        edits.scan(tree, null);
        StringBuilder text = new StringBuilder();
        int done = start(tree);
        for (Map.Entry<Tree, String> edit : edits.inOrder.values()) {
            text.append(source, done, start(edit.getKey())).append(edit.getValue());
            done = end(edit.getKey());
        }
        return text.append(source, done, end(tree)).toString();
    }

    private int start(Tree tree) {
        return (int) positions.getStartPosition(file, tree);
    }

    private int end(Tree tree) {
        return (int) positions.getEndPosition(file, tree);
    }

    /** Returns the replacements for parts of a tree. */
    private final class Edits extends TreeScanner<@Nullable Void, @Nullable Void> {
        private final Map<String, String> constants;
        private final TreeMap<Integer, Map.Entry<Tree, String>> inOrder = new TreeMap<>();

        Edits(Map<String, String> constants) {
            this.constants = constants;
        }

        private @Nullable Void write(Tree instead, String text) {
            inOrder.put(start(instead), Map.entry(instead, text));
            return null;
        }

        @Override
        public @Nullable Void visitIdentifier(IdentifierTree tree, @Nullable Void unused) {
            String value = constants.get(tree.getName().toString());
            return value == null ? null : write(tree, value);
        }

        @Override
        public @Nullable Void visitArrayAccess(ArrayAccessTree tree, @Nullable Void unused) {
            Name array = register(tree);
            return array == null ? super.visitArrayAccess(tree, null) : write(tree, element(tree));
        }

        private String element(ExpressionTree tree) {
            return tree instanceof ArrayAccessTree access
                    ? element(access.getExpression()) + "_" + number(access.getIndex())
                    : tree.toString();
        }

        @Override
        public @Nullable Void visitVariable(VariableTree tree, @Nullable Void unused) {
            if (tree.getModifiers().toString().contains("@Registers")
                    && tree.getInitializer() instanceof NewArrayTree array) {
                registers.add(tree.getName());
                List<String> names = List.of(tree.getName().toString());
                for (ExpressionTree dimension : array.getDimensions()) {
                    List<String> more = new ArrayList<>();
                    for (String name : names) {
                        for (int i = 0; i < number(dimension); i++) {
                            more.add(name + "_" + i);
                        }
                    }
                    names = more;
                }
                String type = array.getType().toString();
                String start = Character.isLowerCase(type.charAt(0)) ? " = 0" : "";
                return write(tree, type + " " + String.join(start + ", ", names) + start + ";");
            }
            if (tree.getInitializer() instanceof SwitchExpressionTree choice
                    && chosen(choice.getExpression(), choice.getCases()) instanceof BlockTree block) {
                String last = "";
                StringBuilder statements = new StringBuilder();
                for (StatementTree statement : block.getStatements()) {
                    if (statement instanceof YieldTree yield) {
                        last = tree.getName() + " = " + text(yield.getValue(), constants) + ";";
                    } else {
                        statements.append(text(statement, constants)).append("\n");
                    }
                }
                return write(tree, tree.getType() + " " + tree.getName() + ";\n{\n" + statements + last + "\n}");
            }
            return super.visitVariable(tree, null);
        }

        @Override
        public @Nullable Void visitForLoop(ForLoopTree tree, @Nullable Void unused) {
            if (tree.getInitializer().isEmpty()
                    || !(tree.getInitializer().get(0) instanceof VariableTree variable)
                    || !takesRegisters(tree.getStatement(), variable.getName())) {
                return super.visitForLoop(tree, null);
            }
            int to = number(((BinaryTree) tree.getCondition()).getRightOperand());
            StringBuilder turns = new StringBuilder();
            for (int i = number(variable.getInitializer());
                    i < to;
                    i += step(tree.getUpdate().get(0))) {
                Map<String, String> more = new HashMap<>(constants);
                more.put(variable.getName().toString(), Integer.toString(i));
                turns.append(text(tree.getStatement(), more)).append("\n");
            }
            return write(tree, turns.toString());
        }

        private int step(ExpressionStatementTree update) {
            return update.getExpression() instanceof CompoundAssignmentTree more ? number(more.getExpression()) : 1;
        }

        @Override
        public @Nullable Void visitSwitch(SwitchTree tree, @Nullable Void unused) {
            Tree body = chosen(tree.getExpression(), tree.getCases());
            return body == null ? super.visitSwitch(tree, null) : write(tree, text(body, constants));
        }

        @Override
        public @Nullable Void visitSwitchExpression(SwitchExpressionTree tree, @Nullable Void unused) {
            Tree body = chosen(tree.getExpression(), tree.getCases());
            return body == null
                    ? super.visitSwitchExpression(tree, null)
                    : write(tree, "(" + text(body, constants) + ")");
        }

        /** Returns the chosen case of a switch over a constant; null for any other switch. */
        private @Nullable Tree chosen(ExpressionTree selector, List<? extends CaseTree> cases) {
            String value =
                    constants.get(((ParenthesizedTree) selector).getExpression().toString());
            if (value == null) {
                return null;
            }
            for (CaseTree option : cases) {
                List<? extends ExpressionTree> labels = option.getExpressions();
                if (labels.isEmpty()
                        || labels.stream().anyMatch(label -> label.toString().equals(value))) {
                    return option.getBody();
                }
            }
            throw new IllegalArgumentException("no case for " + value + " in " + cases);
        }

        @Override
        public @Nullable Void visitBinary(BinaryTree tree, @Nullable Void unused) {
            return isNumber(tree) ? write(tree, Integer.toString(number(tree))) : super.visitBinary(tree, null);
        }

        /** Returns the chosen branch of a comparison of known numbers. */
        @Override
        public @Nullable Void visitConditionalExpression(ConditionalExpressionTree tree, @Nullable Void unused) {
            if (tree.getCondition() instanceof BinaryTree condition
                    && condition.getKind() == Tree.Kind.EQUAL_TO
                    && isNumber(condition.getLeftOperand())
                    && isNumber(condition.getRightOperand())) {
                boolean equal = number(condition.getLeftOperand()) == number(condition.getRightOperand());
                Tree chosen = equal ? tree.getTrueExpression() : tree.getFalseExpression();
                return write(tree, text(chosen, constants));
            }
            return super.visitConditionalExpression(tree, null);
        }

        private boolean isNumber(Tree tree) {
            return tree instanceof BinaryTree pair
                    ? Set.of(Tree.Kind.PLUS, Tree.Kind.MINUS, Tree.Kind.MULTIPLY)
                                    .contains(tree.getKind())
                            && isNumber(pair.getLeftOperand())
                            && isNumber(pair.getRightOperand())
                    : tree.getKind() == Tree.Kind.INT_LITERAL
                            || constants.getOrDefault(tree.toString(), "").matches("\\d+");
        }

        private int number(Tree tree) {
            if (!isNumber(tree)) {
                throw new IllegalArgumentException("not a constant: " + tree);
            }
            if (tree instanceof BinaryTree pair) {
                int left = number(pair.getLeftOperand());
                int right = number(pair.getRightOperand());
                return tree.getKind() == Tree.Kind.PLUS
                        ? left + right
                        : tree.getKind() == Tree.Kind.MINUS ? left - right : left * right;
            }
            return Integer.parseInt(constants.getOrDefault(tree.toString(), tree.toString()));
        }

        private @Nullable Name register(ExpressionTree tree) {
            return tree instanceof ArrayAccessTree access
                    ? register(access.getExpression())
                    : tree instanceof IdentifierTree name && registers.contains(name.getName()) ? name.getName() : null;
        }

        private boolean takesRegisters(Tree body, Name variable) {
            boolean[] found = {false};
            new TreeScanner<@Nullable Void, @Nullable Void>() {
                @Override
                public @Nullable Void visitArrayAccess(ArrayAccessTree tree, @Nullable Void unused) {
                    found[0] |= register(tree) != null && tree.toString().matches(".*\\[.*\\b" + variable + "\\b.*");
                    return super.visitArrayAccess(tree, null);
                }
            }.scan(body, null);
            return found[0];
        }
    }
}
