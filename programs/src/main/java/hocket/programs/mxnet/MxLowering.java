package hocket.programs.mxnet;

import hocket.programs.Executable;
import hocket.programs.Lowering;
import hocket.programs.ProgramException;
import java.util.Optional;

/** Runs programs on MXNet: a program becomes one symbol bound to the store's arrays. */
public final class MxLowering implements Lowering {
    @Override
    public String name() {
        return "mxnet";
    }

    @Override
    public String version() {
        return unavailable().isPresent() ? "" : Engine.get().version();
    }

    @Override
    public Optional<String> unavailable() {
        return Engine.unavailable();
    }

    @Override
    public int preference() {
        return 100;
    }

    @Override
    public Executable bind(Binding binding) {
        try {
            return MxExecutable.bind(binding);
        } catch (EngineException e) {
            throw new ProgramException(
                    "program " + binding.program().name() + ": " + e.getMessage(), e, e.poisonsThread());
        }
    }
}
